import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slideWindow } from './sliding-window.ts';

const LIMIT = { calls: 2, windowMs: 1000 };

test('there is room until the limit, and again when the oldest has left the window', () => {
  expect([
    slideWindow([], 0, LIMIT),
    slideWindow([0], 400, LIMIT),
    slideWindow([0, 400], 900, LIMIT),
    slideWindow([0, 400], 1000, LIMIT),
  ]).toEqual([
    { isFree: true, times: [0] },
    { isFree: true, times: [0, 400] },
    { isFree: false, waitMs: 100 },
    { isFree: true, times: [400, 1000] },
  ]);
});

test('a clock that was set back locks nobody out for longer than the window', () => {
  expect(slideWindow([90_000, 99_000], 0, LIMIT)).toEqual({ isFree: false, waitMs: 1000 });
});

test('no window ever holds more than the limit, and after the wait there is room', () => {
  const limits = fc.record({ calls: fc.integer({ min: 1, max: 4 }), windowMs: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(limits, fc.array(fc.nat(20), { maxLength: 40 }), (limit, gaps) => {
      const passed: number[] = [];
      let times: readonly number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const answer = slideWindow(times, now, limit);
        if (answer.isFree) {
          times = answer.times;
          passed.push(now);
        } else {
          expect(slideWindow(times, now + answer.waitMs, limit).isFree).toBe(true);
          expect(slideWindow(times, now + answer.waitMs - 1, limit).isFree).toBe(false);
        }
      }
      for (const end of passed) {
        expect(passed.filter((time) => time <= end && end - time < limit.windowMs).length).toBeLessThanOrEqual(
          limit.calls,
        );
      }
      expect(times.length).toBeLessThanOrEqual(limit.calls);
    }),
  );
});
