import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { TimerSet } from './timer-set.ts';

test('runs what is due, and ends the rest together', async () => {
  const clock = new ManualClock();
  const timers = new TimerSet(clock);
  const seen: string[] = [];
  timers.after(10, () => seen.push('first'));
  timers.after(20, () => seen.push('second'));
  await clock.advance(10);
  timers.cancelAll();
  await clock.advance(100);
  expect([seen, clock.pending]).toEqual([['first'], 0]);
});
