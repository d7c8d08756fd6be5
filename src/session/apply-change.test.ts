import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChange, frozenList } from './apply-change.ts';
import type { SliceChange } from './slice.ts';

const items = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 8 });
const item = fc.integer({ min: 0, max: 5 });
const change: fc.Arbitrary<SliceChange<number>> = fc.oneof(
  item.map((given) => ({ kind: 'append' as const, item: given })),
  items.map((given) => ({ kind: 'extend' as const, items: given })),
  items.map((given) => ({ kind: 'replace' as const, items: given })),
  fc.constant({ kind: 'clear' as const }),
  item.map((given) => ({ kind: 'clear' as const, where: (candidate: number) => candidate === given })),
  item.map((given) => ({
    kind: 'upsert' as const,
    item: given + 10,
    isSame: (candidate: number) => candidate % 10 === given,
  })),
);

test('every change gives a frozen list and leaves the one before as it was', () => {
  fc.assert(
    fc.property(items, change, (given, made) => {
      const before = frozenList(given);
      const copy = [...before];
      const after = applyChange(before, made);
      expect([Object.isFrozen(after), before]).toEqual([true, copy]);
    }),
  );
});

test('append and extend put items at the end, replace puts them in the place of all', () => {
  fc.assert(
    fc.property(items, items, (given, more) => {
      const appended = more.reduce<readonly number[]>(
        (list, one) => applyChange(list, { kind: 'append', item: one }),
        given,
      );
      expect(appended).toEqual([...given, ...more]);
      expect(applyChange(given, { kind: 'extend', items: more })).toEqual([...given, ...more]);
      expect(applyChange(given, { kind: 'replace', items: more })).toEqual(more);
    }),
  );
});

test('clear takes out exactly what matches, or all', () => {
  fc.assert(
    fc.property(items, item, (given, chosen) => {
      expect(applyChange(given, { kind: 'clear' })).toEqual([]);
      expect(applyChange(given, { kind: 'clear', where: (candidate) => candidate === chosen })).toEqual(
        given.filter((candidate) => candidate !== chosen),
      );
    }),
  );
});

test('upsert puts an item in the place of the first that is the same, or at the end, and once it is there does so again', () => {
  fc.assert(
    fc.property(items, item, (given, chosen) => {
      const upsert = { kind: 'upsert' as const, item: chosen, isSame: (candidate: number) => candidate === chosen };
      const once = applyChange(given, upsert);
      expect(once).toEqual(given.includes(chosen) ? given : [...given, chosen]);
      expect(applyChange(once, upsert)).toEqual(once);
    }),
  );
  const named = [
    { id: 'a', value: 1 },
    { id: 'b', value: 1 },
    { id: 'a', value: 2 },
  ];
  expect(applyChange(named, { kind: 'upsert', item: { id: 'a', value: 3 }, isSame: ({ id }) => id === 'a' })).toEqual([
    { id: 'a', value: 3 },
    { id: 'b', value: 1 },
    { id: 'a', value: 2 },
  ]);
});

test('a change that changes nothing gives the very same list', () => {
  const given = frozenList([1, 2]);
  expect(applyChange(given, { kind: 'extend', items: [] })).toBe(given);
  expect(applyChange(given, { kind: 'replace', items: given })).toBe(given);
  expect(applyChange(given, { kind: 'clear', where: () => false })).toBe(given);
  const empty = frozenList<number>([]);
  expect(applyChange(empty, { kind: 'clear' })).toBe(empty);
});

test.each([[{ kind: 'push' }], [Promise.resolve({ kind: 'append', item: 1 })], ['append']])(
  'what is no change at all is refused: %o',
  (made) => {
    expect(() => applyChange([1], made as unknown as SliceChange<number>)).toThrow(
      'a reducer must return a change of a slice, or undefined',
    );
  },
);
