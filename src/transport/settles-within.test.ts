import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { settlesWithin } from './settles-within.ts';

const never = (): Promise<void> => new Promise(() => undefined);

test('is true for what settles in time, well or badly, and leaves no timer', async () => {
  const clock = new ManualClock();
  expect(await settlesWithin(Promise.resolve(), { clock, ms: 10 })).toBe(true);
  expect(await settlesWithin(Promise.reject(new Error('bad')), { clock, ms: 10 })).toBe(true);
  expect(clock.pending).toBe(0);
});

test('is false when the time is up', async () => {
  const clock = new ManualClock();
  const waiting = settlesWithin(never(), { clock, ms: 10 });
  await clock.advance(10);
  expect(await waiting).toBe(false);
});

test('is false when the wait is ended, before or while it lasts', async () => {
  const clock = new ManualClock();
  const ending = new AbortController();
  const waiting = settlesWithin(never(), { clock, ms: 10, signal: ending.signal });
  ending.abort();
  expect(await waiting).toBe(false);
  expect(await settlesWithin(never(), { clock, ms: 10, signal: ending.signal })).toBe(false);
  expect(clock.pending).toBe(0);
});
