import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test('[S1.config] a number means what the file’s dialect says', () => {
  expect([parseDuration(30, { numberUnit: 's' }), parseDuration(30, { numberUnit: 'ms' })]).toEqual([30_000, 30]);
});

test('[S1.config] a unit means the same everywhere', () => {
  const written = ['30s', '500ms', '2m', '1h', '1.5s', '0.5m'];
  const expected = [30_000, 500, 120_000, 3_600_000, 1_500, 30_000];
  expect(written.map((value) => parseDuration(value, { numberUnit: 's' }))).toEqual(expected);
  expect(written.map((value) => parseDuration(value, { numberUnit: 'ms' }))).toEqual(expected);
});

test('anything else is no duration', () => {
  const others = [
    0,
    -1,
    Number.NaN,
    Infinity,
    '',
    '30',
    '30 s',
    '-1s',
    '0s',
    '1d',
    's',
    '1e3s',
    '1..5s',
    true,
    null,
    {},
  ];
  for (const value of others) expect(parseDuration(value, { numberUnit: 's' })).toBeUndefined();
});

test('what comes out is a positive number of milliseconds, or nothing', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const parsed = parseDuration(value, { numberUnit: 's' });
      expect(parsed === undefined || (Number.isFinite(parsed) && parsed > 0)).toBe(true);
    }),
  );
});
