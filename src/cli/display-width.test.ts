import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToWidth, displayWidth, padToWidth, wrapToWidth } from './display-width.ts';

const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '日', '👍', 'e\u0301', '-'), minLength: 1 }), {
  minLength: 1,
});

test.for([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['●', 1],
] as const)('%s fills %i cells', ([text, width]) => {
  expect(displayWidth(text)).toBe(width);
});

describe('cutting', () => {
  test('leaves a text that fits', () => {
    expect(cutToWidth('abc', 3)).toBe('abc');
  });

  test('ends in an ellipsis, never in half a character', () => {
    expect([cutToWidth('abcdef', 4), cutToWidth('日本語', 4), cutToWidth('ab cdef', 4)]).toEqual([
      'abc…',
      '日…',
      'ab…',
    ]);
  });

  test('never gives more than the width', () => {
    fc.assert(
      fc.property(words, fc.nat(20), (parts, width) => {
        expect(displayWidth(cutToWidth(parts.join(' '), width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('padding fills up on either side', () => {
  expect([padToWidth('日', 4), padToWidth('1', 3, 'right'), padToWidth('long', 2)]).toEqual(['日  ', '  1', 'long']);
});

describe('wrapping', () => {
  test('breaks between words, and inside a word only where it must', () => {
    expect(wrapToWidth('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapToWidth('a /very/long/path', 8)).toEqual(['a', '/very/lo', 'ng/path']);
  });

  test('an endless line stays one line', () => {
    expect(wrapToWidth('one two', Infinity)).toEqual(['one two']);
  });

  test('no line is wider than the width, and nothing is lost', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (parts, width) => {
        const lines = wrapToWidth(parts.join(' '), width);
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(parts.join(''));
      }),
    );
  });
});
