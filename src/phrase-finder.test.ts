import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PhraseFinder } from './phrase-finder.ts';
import type { Span } from './phrase-finder.ts';

/** The same by trying every phrase at every place. */
function findSlowly(phrases: readonly string[], text: string): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length; start += 1) {
    const lengths = phrases.filter((phrase) => text.startsWith(phrase, start)).map((phrase) => phrase.length);
    if (lengths.length === 0) continue;
    const end = start + Math.max(...lengths);
    const previous = spans.at(-1);
    if (previous && start < previous.end) previous.end = Math.max(previous.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

describe('PhraseFinder', () => {
  test.each<[string, string[], string, Span[]]>([
    [
      'at the start and at the end',
      ['abc'],
      'abc-abc',
      [
        { start: 0, end: 3 },
        { start: 4, end: 7 },
      ],
    ],
    [
      'side by side as two',
      ['abc'],
      'abcabc',
      [
        { start: 0, end: 3 },
        { start: 3, end: 6 },
      ],
    ],
    [
      'the longer of two that begin alike',
      ['abc', 'abcdef'],
      '-abcdef-abcd',
      [
        { start: 1, end: 7 },
        { start: 8, end: 11 },
      ],
    ],
    ['one inside another as one', ['bcd', 'abcde'], '-abcde-', [{ start: 1, end: 6 }]],
    ['two that overlap as one', ['abcd', 'cdef'], '-abcdef-', [{ start: 1, end: 7 }]],
    ['a phrase that overlaps itself as one', ['aa'], '-aaaaa-', [{ start: 1, end: 6 }]],
    [
      'characters above 255',
      ['中文', '中国'],
      '中国-中文',
      [
        { start: 0, end: 2 },
        { start: 3, end: 5 },
      ],
    ],
    ['nothing in a text that is shorter', ['abc'], 'ab', []],
    ['nothing in no text', ['abc'], '', []],
    ['nothing without phrases', [], 'abc'.repeat(200), []],
  ])('finds %s', (_, phrases, text, spans) => {
    expect(new PhraseFinder(phrases).find(text)).toEqual(spans);
  });

  test('finds phrases that are longer than its table can count', () => {
    const phrases = [`${'a'.repeat(300)}b`, `${'a'.repeat(300)}c`];
    const text = `${'a'.repeat(400)}c`;
    expect(new PhraseFinder(phrases).find(text)).toEqual([{ start: 100, end: 401 }]);
  });

  test('finds what trying every phrase at every place finds', () => {
    const unit = fc.constantFrom('a', 'b', 'A', '\u0161', '\u6161');
    const phrases = fc.array(fc.string({ unit, minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(phrases, fc.string({ unit, maxLength: 80 }), (sought, text) => {
        expect(new PhraseFinder(sought).find(text)).toEqual(findSlowly(sought, text));
      }),
      { numRuns: 1000 },
    );
  });
});
