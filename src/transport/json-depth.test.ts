import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeperThan } from './json-depth.ts';

test('counts levels, not brackets', () => {
  expect(nestsDeeperThan('[[],[],[[]]]', 3)).toBe(false);
  expect(nestsDeeperThan('[[],[],[[]]]', 2)).toBe(true);
});

test('does not count what stands in strings', () => {
  expect(nestsDeeperThan(JSON.stringify({ '[[[': '{{{"[[[\\"{{{\\\\' }), 1)).toBe(false);
});

test('stops at a string that never ends', () => {
  expect(nestsDeeperThan('["[[[[[[[[', 3)).toBe(false);
});

test('agrees with the depth of the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 8 }), (value, limit) => {
      expect(nestsDeeperThan(JSON.stringify(value), limit)).toBe(depthOf(value) > limit);
    }),
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
