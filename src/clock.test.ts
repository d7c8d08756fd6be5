import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { ManualClock, settle } from '../test/fixtures/manual-clock.ts';
import { sleep, systemClock } from './clock.ts';

/** What has become of a promise so far. */
function watch(promise: Promise<unknown>): { result: unknown } {
  const watched: { result: unknown } = { result: 'pending' };
  promise.then(
    () => {
      watched.result = 'resolved';
    },
    (error: unknown) => {
      watched.result = error;
    },
  );
  return watched;
}

test('sleep resolves when its time is over, not before', async () => {
  const clock = new ManualClock();
  const slept = watch(sleep(clock, 100));
  await clock.advance(99);
  expect(slept.result).toBe('pending');
  await clock.advance(1);
  expect(slept).toEqual({ result: 'resolved' });
});

test('sleep with a signal that is aborted already rejects with its reason, and starts no timer', async () => {
  const clock = new ManualClock();
  const signal = AbortSignal.abort('gone');
  await expect(sleep(clock, 100, signal)).rejects.toBe('gone');
  expect([clock.pending, listeners(signal)]).toEqual([0, 0]);
});

test('sleep rejects with the reason as soon as its signal aborts, and leaves nothing behind', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const slept = watch(sleep(clock, 100, controller.signal));
  await clock.advance(50);
  controller.abort('stop');
  await settle();
  expect([slept.result, clock.pending, listeners(controller.signal)]).toEqual(['stop', 0, 0]);
});

test('a signal that aborts after the sleep changes nothing, and has no listener left', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const slept = watch(sleep(clock, 100, controller.signal));
  await clock.advance(100);
  expect(listeners(controller.signal)).toBe(0);
  controller.abort('late');
  await settle();
  expect(slept).toEqual({ result: 'resolved' });
});

test('the system clock runs a timer once, unless it is cancelled', () => {
  vi.useFakeTimers();
  try {
    const ran: string[] = [];
    systemClock.after(10, () => ran.push('kept'));
    systemClock.after(10, () => ran.push('cancelled')).cancel();
    vi.advanceTimersByTime(9);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(ran).toEqual(['kept']);
  } finally {
    vi.useRealTimers();
  }
});

test('the system clock waits as long as it can for a delay that is longer than a timer can be', () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  for (const delay of [2_147_483_648, Infinity]) systemClock.after(delay, () => undefined).cancel();
  expect(set.mock.calls.map(([, delay]) => delay)).toEqual([2_147_483_647, 2_147_483_647]);
});

test('the system clock tells the time of day, and a time that does not go backwards', () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now >= before && now <= Date.now()).toBe(true);
  const first = systemClock.monotonic();
  expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
});

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}
