import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

describe('searchWords', () => {
  test.each([
    ['createIssue', ['create', 'issue']],
    ['create_issue-now', ['create', 'issue', 'now']],
    ['parseJSONFile', ['parse', 'json', 'file']],
    ['getURL', ['get', 'url']],
    ['S3Bucket', ['s3', 'bucket']],
    ['mcp__github__create_issue', ['mcp', 'github', 'create', 'issue']],
    ['Search the web — “fast” 🚀', ['search', 'the', 'web', 'fast']],
  ])('splits %s', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  test('finds a name with a number by its letters too', () => {
    expect(searchWords('context7 base64 k8s')).toEqual(['context7', 'context', 'base64', 'base', 'k8s']);
  });

  test('takes accents off, so that a request without them finds the word', () => {
    expect(searchWords('Café Über MüllTonne')).toEqual(['cafe', 'uber', 'mull', 'tonne']);
  });

  test('reads scripts without spaces as characters and pairs', () => {
    expect(searchWords('查询天气')).toEqual(['查', '询', '天', '气', '查询', '询天', '天气']);
    expect(searchWords('天气API v2')).toEqual(['天', '气', '天气', 'api', 'v2']);
  });

  test('keeps the letters of scripts whose marks make letters', () => {
    expect(searchWords('がく')).toEqual(['が', 'く', 'がく']);
    expect(searchWords('Поиск файлов')).toEqual(searchWords('поиск ФАЙЛОВ'));
  });

  test('bounds what one text can cost', () => {
    expect(searchWords('a'.repeat(1000))).toEqual(['a'.repeat(64)]);
    expect(searchWords('ab '.repeat(100_000)).length).toBeLessThan(10_000);
  });

  test('gives words without signs in lower case for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const word of searchWords(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word).toBe(word.toLowerCase());
        }
      }),
    );
  });
});
