import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripHidden } from './hidden-characters.ts';

describe('stripHidden', () => {
  test.each([
    ['zero-width spaces', 'read\u200Bfile', 'readfile'],
    ['joiners between letters', 'a\u200Db\u200Cc', 'abc'],
    ['a byte order mark', '\uFEFFtext', 'text'],
    ['directions', 'a\u202Eb\u2066c\u2069', 'abc'],
    ['tags, which spell text that nobody sees', 'hi\u{E0068}\u{E0069}\u{E007F}', 'hi'],
    ['soft hyphens', 'soft\u00ADhyphen', 'softhyphen'],
    ['fillers', 'a\u115F\u1160\u3164\uFFA0b', 'ab'],
    ['grapheme joiners', 'a\u034Fb', 'ab'],
    ['variation selectors, which spell bytes', 'x\uFE00\uFE01\uFE0F\u{E0100}\u{E01EF}', 'x'],
    ['variation selectors after an emoji but the first', '😀\uFE0F\uFE0F\u{E0101}', '😀\uFE0F'],
    ['a joiner that joins an emoji to nothing', '👩\u200D and 👩\u200D\u200D💻', '👩 and 👩💻'],
    ['terminal escapes', '\u001B[31mred\u0007', '[31mred'],
    ['carriage returns', 'one\r\ntwo', 'one\ntwo'],
    ['invisible operators', 'a\u2061b\u2064', 'ab'],
  ])('takes out %s', (_, text, stripped) => {
    expect(stripHidden(text)).toBe(stripped);
  });

  test.each([
    ['line breaks and tabs', 'one\n\ttwo'],
    ['letters of all scripts', 'Grüße, 日本語, العربية, हिन्दी, ไทย'],
    ['combining accents', 'e\u0301'],
    ['emoji of several characters', '👩\u200D👩\u200D👧 🏳\uFE0F\u200D🌈 👩🏽\u200D💻 ❤\uFE0F 1\uFE0F\u20E3'],
    ['spaces', 'a\u00A0b\u3000c'],
  ])('keeps %s', (_, text) => {
    expect(stripHidden(text)).toBe(text);
  });

  test('finds nothing more in what it has stripped, and only takes out', () => {
    const unit = fc.constantFrom(
      'a',
      '1',
      '😀',
      '👩',
      '🏽',
      '\uFE0F',
      '\uFE0E',
      '\u200D',
      '\u200B',
      '\u{E0041}',
      '\n',
      '\u001B',
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
        const stripped = stripHidden(text);
        expect(stripHidden(stripped)).toBe(stripped);
        expect([...stripped].every((char) => text.includes(char)) && stripped.length <= text.length).toBe(true);
      }),
    );
  });

  test('leaves printable ASCII as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => stripHidden(text) === text));
  });
});
