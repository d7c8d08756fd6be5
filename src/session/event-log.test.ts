import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { until } from '../../test/fixtures/until.ts';
import { Scrubber } from '../redaction.ts';
import { EventLog } from './event-log.ts';
import { readEvents } from './event-log-reader.ts';

const WRITER = fileURLToPath(new URL('../../test/fixtures/processes/event-writer.mjs', import.meta.url));

function eventsIn(folder: TemporaryFolder, name = 'events'): readonly unknown[] {
  return folder.lines(name).map((line) => JSON.parse(line));
}

test('events are gathered and written together, when their time has come', async () => {
  await using folder = await openTemporaryFolder();
  const clock = new ManualClock(1000);
  await using log = await EventLog.open({ file: folder.file('events'), clock });
  log.write({ type: 'first' });
  await clock.advance(20);
  log.write({ type: 'second' });
  expect([clock.pending, folder.lines('events')]).toEqual([1, []]);
  await clock.advance(30);
  const events = await until(() => eventsIn(folder).length === 2 && eventsIn(folder), { describe: 'both are written' });
  expect([events, clock.pending]).toEqual([
    [
      { type: 'first', at: 1000 },
      { type: 'second', at: 1020 },
    ],
    0,
  ]);
});

test('a flush writes what there is, a close too, and after it nothing is taken', async () => {
  await using folder = await openTemporaryFolder();
  const clock = new ManualClock(1000);
  const log = await EventLog.open({ file: folder.file('events'), clock });
  log.write({ type: 'flushed' });
  await log.flush();
  expect([eventsIn(folder), clock.pending]).toEqual([[{ type: 'flushed', at: 1000 }], 0]);
  log.write({ type: 'closed' });
  await log.close();
  await log.close();
  log.write({ type: 'late' });
  await log.flush();
  expect([eventsIn(folder).length, clock.pending]).toEqual([2, 0]);
});

test('secrets do not reach the file', async () => {
  await using folder = await openTemporaryFolder();
  const scrubber = new Scrubber();
  scrubber.add('correct-horse');
  const log = await EventLog.open({ file: folder.file('events'), scrubber });
  const event = { type: 'noted', text: 'it is correct-horse' };
  log.write(event);
  await log.close();
  expect(readFileSync(folder.file('events'), 'utf8')).toMatch(/^\{"type":"noted","at":\d+,"text":"it is \*\*\*"\}\n$/);
});

test('when too much waits, the oldest events go, and the log says how many', async () => {
  await using folder = await openTemporaryFolder();
  const clock = new ManualClock(1000);
  // Each line has 23 characters.
  const log = await EventLog.open({ file: folder.file('events'), clock, maxWaitingCharacters: 50 });
  for (const type of ['one', 'two', 'six', 'ten']) log.write({ type });
  await log.close();
  expect(eventsIn(folder)).toEqual([
    { type: 'events-dropped', at: 1000, count: 2 },
    { type: 'six', at: 1000 },
    { type: 'ten', at: 1000 },
  ]);
});

test('what cannot be written is reported, and waits until it can', async () => {
  await using folder = await openTemporaryFolder();
  const clock = new ManualClock(1000);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push((error as NodeJS.ErrnoException).code);
    throw new Error('broken too');
  };
  const log = await EventLog.open({ file: folder.file('events'), clock, onError, maxWaitingCharacters: 50 });
  rmSync(folder.file('events'));
  mkdirSync(folder.file('events'));
  for (const type of ['one', 'two', 'six']) log.write({ type });
  await clock.advance(50);
  await until(() => errors.length, { describe: 'the failure is reported' });
  await expect(log.flush()).rejects.toThrow('EISDIR');
  rmSync(folder.file('events'), { recursive: true });
  log.write({ type: 'ten' });
  await log.close();
  expect([errors, eventsIn(folder)]).toEqual([
    ['EISDIR'],
    [
      { type: 'events-dropped', at: 1050, count: 2 },
      { type: 'six', at: 1000 },
      { type: 'ten', at: 1050 },
    ],
  ]);
});

test('a log that cannot be opened says so', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('taken'), '');
  await expect(EventLog.open({ file: folder.file('taken/events') })).rejects.toThrow('ENOTDIR');
});

test('a log that grew too big is rotated', async () => {
  await using folder = await openTemporaryFolder();
  const clock = new ManualClock(1000);
  const log = await EventLog.open({ file: folder.file('events'), clock, maxBytes: 50 });
  for (const type of ['one', 'two', 'six']) {
    log.write({ type });
    await log.flush();
  }
  await log.close();
  expect([eventsIn(folder, 'events.1'), eventsIn(folder)]).toEqual([
    [
      { type: 'one', at: 1000 },
      { type: 'two', at: 1000 },
    ],
    [{ type: 'six', at: 1000 }],
  ]);
});

test('two processes write to one log at once, and every line is whole and in its writer’s order', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  const writers = ['ada', 'bob'].map((name) =>
    spawn(process.execPath, [WRITER, file, name, '2000'], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(writers.map((writer) => once(writer, 'exit')));
  const numbers: Record<string, number[]> = { ada: [], bob: [] };
  const gaps: unknown[] = [];
  for await (const event of readEvents(file, { onGap: (gap) => gaps.push(gap) })) {
    numbers[String(event['writer'])]?.push(Number(event['number']));
  }
  const all = Array.from({ length: 2000 }, (_, number) => number);
  expect([ends, gaps, numbers]).toEqual([
    [
      [0, null],
      [0, null],
    ],
    [],
    { ada: all, bob: all },
  ]);
});

test('after a writer was killed in the middle of writing, at most one line is lost and the next ones are whole', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events');
  const writer = spawn(process.execPath, [WRITER, file, 'ada'], { stdio: 'inherit' });
  await until(() => statSync(file, { throwIfNoEntry: false })?.size, { describe: 'the writer is writing' });
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  const log = await EventLog.open({ file, maxBytes: 1024 * 1024 * 1024 });
  log.write({ type: 'survived' });
  await log.close();
  let lines = 0;
  const types: string[] = [];
  const onGap = (): void => {
    lines += 1;
  };
  for await (const { type } of readEvents(file, { onGap })) types.push(type);
  expect([types.at(-1), types.indexOf('survived') === types.length - 1, lines <= 1]).toEqual(['survived', true, true]);
});
