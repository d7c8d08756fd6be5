import fc from 'fast-check';
import { expect, test } from 'vitest';
import { delayBeforeAttempt, isWorthWaiting } from './reconnect-policy.ts';

const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('the first attempt waits for nothing', () => {
  expect([delayBeforeAttempt(1, 0), delayBeforeAttempt(1, 0.999)]).toEqual([0, 0]);
});

test('a server that asks for time gets it, as long as somebody would wait', () => {
  expect([delayBeforeAttempt(2, 0.5, 7_000), delayBeforeAttempt(3, 0.5, 200)]).toEqual([7_000, 1_000]);
  expect([30_000, 30_001].map(isWorthWaiting)).toEqual([true, false]);
});

test('the ceiling doubles from one second up to thirty', () => {
  const almostOne = 1 - Number.EPSILON;
  const delays = [2, 3, 4, 5, 6, 7, 8, 2000].map((attempt) => delayBeforeAttempt(attempt, almostOne));
  expect(delays).toEqual([999, 1999, 3999, 7999, 15_999, 29_999, 29_999, 29_999]);
});

test('the jitter is full: from nothing to the ceiling, in whole milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100 }), jitter, (attempt, random) => {
      const ceiling = Math.min(30_000, 1000 * 2 ** (attempt - 2));
      expect(delayBeforeAttempt(attempt, random)).toBe(Math.floor(random * ceiling));
    }),
  );
  expect(delayBeforeAttempt(5, 0)).toBe(0);
});
