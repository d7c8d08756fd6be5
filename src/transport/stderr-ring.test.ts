import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StderrRing } from './stderr-ring.ts';

function ringOf(capacity: number, ...chunks: readonly (string | Buffer)[]): StderrRing {
  const ring = new StderrRing(capacity);
  for (const chunk of chunks) ring.append(Buffer.from(chunk));
  return ring;
}

describe('StderrRing', () => {
  test('keeps what was written', () => {
    expect(ringOf(64).text).toBe('');
    expect(ringOf(64, 'one\n', '', 'two\n').text).toBe('one\ntwo\n');
  });

  test('keeps exactly as much as it holds', () => {
    expect(ringOf(4, 'abcd').text).toBe('abcd');
    expect(ringOf(4, 'abcd', 'e').text).toBe('bcde');
    expect(ringOf(4, 'ab', 'cdefgh').text).toBe('efgh');
  });

  test('leaves out a line that lost its beginning', () => {
    expect(ringOf(12, 'first line\n', 'second\n').text).toBe('second\n');
  });

  test('keeps the rest of a line that is longer than the ring', () => {
    expect(ringOf(4, 'abcdefgh\n').text).toBe('fgh\n');
  });

  test('drops what is left of a character cut in half', () => {
    expect(ringOf(5, 'ab🙂cd').text).toBe('cd');
  });

  test('shows neither colours nor cursor moves, titles, links or control characters', () => {
    const text =
      '\u001B[31mred\u001B[0m \u001B]0;title\u0007\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\ \u001B(B\u001B[2K\u0000\u0008bell\u0007\u202E\tok';
    expect(ringOf(1024, text).text).toBe('red link bell\tok');
  });

  test('takes a carriage return for a line break', () => {
    expect(ringOf(64, 'a\r\n10%\r20%\r').text).toBe('a\n10%\n20%\n');
  });

  test('is valid text of bounded length for any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const { text } = ringOf(32, ...chunks.map((chunk) => Buffer.from(chunk)));
        expect(text.length).toBeLessThanOrEqual(32);
        expect(Buffer.from(text).toString()).toBe(text);
        expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F]/);
      }),
    );
  });

  test('ends with what was written last', () => {
    const chunk = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1 }), (chunks) => {
        const all = chunks.join('');
        expect(ringOf(32, ...chunks).text).toBe(all.slice(-32));
      }),
    );
  });
});
