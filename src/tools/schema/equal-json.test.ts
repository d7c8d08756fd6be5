import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../call/canonical-json.ts';
import { isEqualJson } from './equal-json.ts';
import { Run } from './evaluation.ts';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.ts';

const isEqual = (left: unknown, right: unknown): boolean =>
  isEqualJson(left, right, new Run(DEFAULT_SCHEMA_LIMITS, 'verdict'));

test('is what canonical JSON would say', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(isEqual(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
      expect(isEqual(left, JSON.parse(canonicalJson(left)))).toBe(true);
    }),
  );
});

test.each<readonly [unknown, unknown, boolean]>([
  [0, -0, true],
  [1, '1', false],
  [null, 'null', false],
  [[], {}, false],
  [{}, { extra: undefined }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ toString: 1 }, {}, false],
  [JSON.parse('{"__proto__":1}'), {}, false],
])('%j and %j', (left, right, expected) => {
  expect([isEqual(left, right), isEqual(right, left)]).toEqual([expected, expected]);
});
