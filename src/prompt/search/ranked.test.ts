import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ranked } from './ranked.ts';

test('gives what sorting everything would give', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 0, max: 12 }), (scores, limit) => {
      const items = scores.map((score, place) => ({ score, place }));
      const sorted = items.filter(({ score }) => score > 0).toSorted((left, right) => right.score - left.score);
      expect(ranked(items, ({ score }) => score, limit).map(({ item }) => item)).toEqual(sorted.slice(0, limit));
    }),
  );
});

test('leaves out what has no score, and what is not a number', () => {
  expect(ranked([0, -1, Number.NaN, 2], (score) => score, Infinity)).toEqual([{ item: 2, score: 2 }]);
});
