import { expect, test } from 'vitest';
import { rankSections } from './section-score.ts';

test('ranks a section by its best tools, three at most', () => {
  const hits = [
    { name: 'a1', section: 'a', score: 1 },
    { name: 'b1', section: 'b', score: 0.9 },
    { name: 'b2', section: 'b', score: 0.9 },
    { name: 'b3', section: 'b', score: 0.5 },
    { name: 'b4', section: 'b', score: 0.5 },
  ];
  const [first, second] = rankSections(hits);
  expect(first).toEqual({ section: 'b', score: expect.closeTo(1.215), tools: ['b1', 'b2', 'b3'] });
  expect(second).toEqual({ section: 'a', score: 1, tools: ['a1'] });
});

test('does not let many weak tools outweigh one that fits', () => {
  const weak = Array.from({ length: 50 }, (_, place) => ({ name: `w${place}`, section: 'weak', score: 0.6 }));
  expect(rankSections([{ name: 's', section: 'strong', score: 1 }, ...weak])[0]?.section).toBe('strong');
});

test('puts equal sections in the order of their keys', () => {
  const hits = ['b', 'a'].map((section) => ({ name: `${section}1`, section, score: 1 }));
  expect(rankSections(hits).map(({ section }) => section)).toEqual(['a', 'b']);
});
