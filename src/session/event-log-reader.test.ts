import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { until } from '../../test/fixtures/until.ts';
import { readEvents } from './event-log-reader.ts';
import type { EventGap } from './event-log-reader.ts';

function line(type: string): string {
  return `{"type":"${type}"}\n`;
}

async function typesIn(file: string, onGap?: (gap: EventGap) => void): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of readEvents(file, { ...(onGap && { onGap }) })) types.push(type);
  return types;
}

/** A reading that goes on, and what it has found. */
function following(file: string): {
  readonly types: string[];
  readonly gaps: EventGap[];
  readonly has: (count: number) => Promise<unknown>;
  readonly stop: () => Promise<void>;
} {
  const [types, gaps]: [string[], EventGap[]] = [[], []];
  const clock = new ManualClock();
  const controller = new AbortController();
  const { signal } = controller;
  const reading = (async () => {
    const events = readEvents(file, { follow: true, signal, clock, onGap: (gap) => gaps.push(gap) });
    for await (const { type } of events) types.push(type);
  })();
  const has = async (count: number): Promise<unknown> =>
    until(
      async () => {
        await clock.advance(200);
        return types.length >= count;
      },
      { describe: `${count} events are read` },
    );
  const stop = (): Promise<void> => {
    controller.abort();
    return reading;
  };
  return { types, gaps, has, stop };
}

test('every event is read with its fields, oldest first', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), '{"type":"one","at":1,"text":"é\\n"}\n{"type":"two","at":2}\n');
  const events: unknown[] = [];
  for await (const event of readEvents(folder.file('events'))) events.push(event);
  expect(events).toEqual([
    { type: 'one', at: 1, text: 'é\n' },
    { type: 'two', at: 2 },
  ]);
});

test('whoever reads is told when all that was there has been read', async () => {
  await using folder = await openTemporaryFolder();
  const told: unknown[] = [];
  const read = async (file: string): Promise<void> => {
    const onCaughtUp = (): unknown => told.push('caught up');
    for await (const { type } of readEvents(file, { onCaughtUp })) told.push(type);
  };
  writeFileSync(folder.file('events'), `${line('one')}{"type":"two"}`);
  await read(folder.file('events'));
  await read(folder.file('nothing'));
  expect(told).toEqual(['one', 'two', 'caught up', 'caught up']);
});

test('whoever follows is told before the first wait', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), line('one'));
  const [told, controller]: [string[], AbortController] = [[], new AbortController()];
  const onCaughtUp = (): void => {
    told.push('caught up');
    controller.abort();
  };
  const options = { follow: true, signal: controller.signal, clock: new ManualClock(), onCaughtUp };
  for await (const { type } of readEvents(folder.file('events'), options)) told.push(type);
  expect(told).toEqual(['one', 'caught up']);
});

test('a file that is not there has no events', async () => {
  await using folder = await openTemporaryFolder();
  expect(await typesIn(folder.file('events'))).toEqual([]);
});

test('lines that are no events are skipped and counted, empty ones are nothing', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), `{"type":"to\n${line('one')}\n[1]\nnull\n{"at":1}\n{"type":7}\n${line('two')}`);
  const gaps: unknown[] = [];
  expect(await typesIn(folder.file('events'), (gap) => gaps.push(gap))).toEqual(['one', 'two']);
  expect(gaps).toEqual([1, 2, 3, 4, 5].map((lines) => ({ kind: 'unreadable', lines })));
});

test('a last line without its newline is read if it is whole, and counted if not', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('whole'), `${line('one')}{"type":"two"}`);
  writeFileSync(folder.file('torn'), `${line('one')}{"type":"tw`);
  const gaps: unknown[] = [];
  expect(await typesIn(folder.file('whole'), (gap) => gaps.push(gap))).toEqual(['one', 'two']);
  expect(gaps).toEqual([]);
  expect(await typesIn(folder.file('torn'), (gap) => gaps.push(gap))).toEqual(['one']);
  expect(gaps).toEqual([{ kind: 'unreadable', lines: 1 }]);
});

test('a reader may stop early', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), line('one') + line('two'));
  for await (const event of readEvents(folder.file('events'), { follow: true })) {
    expect(event).toEqual({ type: 'one' });
    break;
  }
});

test('who follows gets what comes, from a file that comes later too, and a line only when it is whole', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  const { types, gaps, has, stop } = following(file);
  await has(0);
  writeFileSync(file, line('one'));
  await has(1);
  appendFileSync(file, '{"type":"t');
  await has(1);
  appendFileSync(file, `wo"}\n${line('three')}`);
  await has(3);
  await stop();
  expect([types, gaps]).toEqual([['one', 'two', 'three'], []]);
});

test('who follows loses nothing when the log is rotated', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  writeFileSync(file, line('one'));
  const { types, gaps, has, stop } = following(file);
  await has(1);
  appendFileSync(file, line('two'));
  renameSync(file, `${file}.1`);
  appendFileSync(`${file}.1`, line('three'));
  writeFileSync(file, line('four'));
  await has(4);
  appendFileSync(file, line('five'));
  await has(5);
  await stop();
  expect([types, gaps]).toEqual([['one', 'two', 'three', 'four', 'five'], []]);
});

test('who follows is told when a file may have been missed', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  writeFileSync(file, line('one'));
  const { types, gaps, has, stop } = following(file);
  await has(1);
  renameSync(file, `${file}.1`);
  writeFileSync(file, line('missed'));
  rmSync(`${file}.1`);
  renameSync(file, `${file}.1`);
  writeFileSync(file, line('three'));
  await has(2);
  await stop();
  expect([types, gaps]).toEqual([['one', 'three'], [{ kind: 'rotated' }]]);
});

test('an abort ends the reading without an error, at any moment', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), line('one') + line('two'));
  const controller = new AbortController();
  const types: string[] = [];
  for await (const { type } of readEvents(folder.file('events'), { follow: true, signal: controller.signal })) {
    types.push(type);
    controller.abort();
  }
  expect(types).toEqual(['one']);
  for await (const { type } of readEvents(folder.file('events'), { signal: controller.signal })) types.push(type);
  expect(types).toEqual(['one']);
});

test('the file that was rotated away comes first, and is read once', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  writeFileSync(`${file}.1`, line('one') + line('two').trimEnd());
  expect(await typesIn(file)).toEqual(['one', 'two']);
  writeFileSync(file, line('three'));
  expect(await typesIn(file)).toEqual(['one', 'two', 'three']);
  const follower = following(file);
  await follower.has(3);
  renameSync(file, `${file}.1`);
  writeFileSync(file, line('four'));
  await follower.has(4);
  await follower.stop();
  expect([follower.types, follower.gaps]).toEqual([['one', 'two', 'three', 'four'], []]);
});
