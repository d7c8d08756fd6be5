import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordStem } from './word-stem.ts';

describe('wordStem', () => {
  test.each([
    ['create', 'creates', 'created', 'creating'],
    ['query', 'queries'],
    ['translate', 'translation', 'translations', 'translating'],
    ['run', 'running'],
    ['convert', 'converter', 'converting'],
    ['repository', 'repositories'],
    ['converse', 'conversing', 'conversed'],
  ])('makes one of the forms of %s', (...forms) => {
    expect(new Set(forms.map(wordStem)).size).toBe(1);
  });

  test.each([
    ['status', 'state'],
    ['news', 'new'],
    ['process', 'proceed'],
  ])('keeps %s and %s apart', (left, right) => {
    expect(wordStem(left)).not.toBe(wordStem(right));
  });

  test('leaves short words, numbers and other scripts alone', () => {
    expect(['aws', 'as', 's3', 'base64s', '天气', 'файлы'].map(wordStem)).toEqual([
      'aws',
      'as',
      's3',
      'base64s',
      '天气',
      'файлы',
    ]);
  });

  test('never makes a word empty', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(wordStem(word)).not.toBe('');
      }),
    );
  });
});
