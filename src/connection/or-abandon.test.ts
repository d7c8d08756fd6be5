import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { orAbandon } from './or-abandon.ts';

function open(work: Promise<string>): {
  clock: ManualClock;
  stop: AbortController;
  late: string[];
  result: Promise<unknown>;
} {
  const clock = new ManualClock();
  const stop = new AbortController();
  const late: string[] = [];
  const options = { clock, limitMs: 100, graceMs: 10, signal: stop.signal };
  const waiting = orAbandon(work, {
    ...options,
    tooLate: () => new Error('too late'),
    discard: (value) => late.push(value),
  });
  return { clock, stop, late, result: waiting.catch((error: unknown) => error) };
}

test('gives what the work gives, and leaves no timer', async () => {
  const { clock, result } = open(Promise.resolve('done'));
  expect(await result).toBe('done');
  expect(clock.pending).toBe(0);
});

test('gives up work that never ends, and discards what comes of it later', async () => {
  let finish: (value: string) => void = () => undefined;
  const { clock, late, result } = open(new Promise((resolve) => (finish = resolve)));
  await clock.advance(100);
  expect(await result).toEqual(new Error('too late'));
  finish('late');
  await clock.advance(0);
  expect({ late, pending: clock.pending }).toEqual({ late: ['late'], pending: 0 });
});

test('after an abort the work gets its grace, then the reason of the abort is told', async () => {
  const { clock, stop, result } = open(new Promise(() => undefined));
  stop.abort(new Error('stopped'));
  expect(await result).toEqual(new Error('stopped'));
  expect(clock.pending).toBe(0);
});
