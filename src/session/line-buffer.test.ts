import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBuffer } from './line-buffer.ts';

test('lines are taken in the order in which they came, once', () => {
  const buffer = new LineBuffer(100);
  for (const line of ['a', 'b']) buffer.push(line);
  expect([buffer.takeAll(), buffer.takeAll()]).toEqual([
    { lines: ['a', 'b'], dropped: 0 },
    { lines: [], dropped: 0 },
  ]);
});

test('the newest lines that fit are kept, and every other is counted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 5 })), fc.nat({ max: 20 }), (lines, limit) => {
      const buffer = new LineBuffer(limit);
      for (const line of lines) buffer.push(line);
      const { lines: kept, dropped } = buffer.takeAll();
      expect([kept, kept.length + dropped]).toEqual([lines.slice(dropped), lines.length]);
      expect(kept.join('').length).toBeLessThanOrEqual(limit);
      const oldest = lines[dropped - 1];
      if (oldest !== undefined) expect(kept.join('').length + oldest.length).toBeGreaterThan(limit);
    }),
  );
});

test('what could not be written comes before what came since, and is the first to go', () => {
  const buffer = new LineBuffer(4);
  for (const line of ['a', 'b', 'c', 'd', 'e']) buffer.push(line);
  const taken = buffer.takeAll();
  buffer.push('f');
  buffer.putBack(taken);
  expect([taken, buffer.takeAll()]).toEqual([
    { lines: ['b', 'c', 'd', 'e'], dropped: 1 },
    { lines: ['c', 'd', 'e', 'f'], dropped: 2 },
  ]);
});

test('a buffer that always overflows keeps only what fits', () => {
  const buffer = new LineBuffer(3);
  for (let number = 0; number < 5000; number += 1) buffer.push(String(number % 10));
  expect(buffer.takeAll()).toEqual({ lines: ['7', '8', '9'], dropped: 4997 });
});
