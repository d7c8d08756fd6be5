import { describe, expect, test } from 'vitest';
import { oneLine, splitDescription } from './first-sentence.ts';

describe('splitDescription', () => {
  test('splits after the first sentence', () => {
    expect(splitDescription(' Reads a text file. Fails on folders. ')).toEqual({
      first: 'Reads a text file.',
      rest: ' Fails on folders.',
    });
  });

  test('does not stop at an abbreviation at the start or inside a name', () => {
    expect(splitDescription('E.g. reads v1.2 files of Node.js projects').rest).toBe('');
  });

  test('ends a sentence at an empty line and at full-width signs', () => {
    expect(splitDescription('Search for things\n\nArgs: query').first.trim()).toBe('Search for things');
    expect(splitDescription('查询天气。返回温度。').first).toBe('查询天气。');
  });
});

describe('oneLine', () => {
  test('is not cut through a character', () => {
    expect(oneLine(`${'x'.repeat(198)}🛰️ and more of it`)).toBe(`${'x'.repeat(198)}…`);
  });

  test('is one line of at most 200 characters', () => {
    expect(oneLine('Reads\n  a file\tquickly. More.')).toBe('Reads a file quickly.');
    expect(oneLine('word '.repeat(100))).toHaveLength(200);
    expect(oneLine('')).toBe('');
  });
});
