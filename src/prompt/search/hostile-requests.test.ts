import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRequest, sentencesOf } from './search-request.ts';
import { createSynonyms } from './synonyms.ts';
import type { ToolDocument } from './tool-document.ts';
import { ToolSearchIndex } from './tool-search-index.ts';

const documents: readonly ToolDocument[] = [
  { name: 'create_issue', server: 'github', description: 'Creates an issue in a repository.' },
  { name: 'weather', server: 'wetter', description: 'Wettervorhersage für größere Städte.' },
  { name: 'forecast', server: 'tianqi', description: '查询天气预报' },
  { name: 'search_files', server: 'disk', description: 'Поиск файлов на диске.' },
  { name: 'reservar_mesa', server: 'comida', description: 'Reserva una mesa en un café.' },
];

function found(query: string): readonly string[] {
  return new ToolSearchIndex(documents).search(query).map(({ name }) => name);
}

describe('a request', () => {
  test.each([
    ['Wettervorhersage', 'weather'],
    ['groessere Staedte, bitte: größere Städte', 'weather'],
    ['天气', 'forecast'],
    ['我想查询明天的天气', 'forecast'],
    ['найти: поиск ФАЙЛОВ', 'search_files'],
    ['mesa cafe', 'reservar_mesa'],
    ['mesa café', 'reservar_mesa'],
  ])('in another language finds the words it shares: %s', (query, name) => {
    expect(found(query)[0]).toBe(name);
  });

  test.each(['', '   ', '\n\t', '?!… — “”', '🚀🚀', '$$$ ((( [[[ .*', '\u0000\uD800', '。。。'])(
    'without a word finds nothing: %j',
    (query) => {
      expect(found(query)).toEqual([]);
    },
  );

  test('with a slip of the pen finds the tool by the words that are right, and nothing by a wrong word alone', () => {
    expect(found('craete an issue in a repository')[0]).toBe('create_issue');
    expect(found('isssue')).toEqual([]);
  });

  test('of any characters is answered, with no tool twice', () => {
    const index = new ToolSearchIndex(documents);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (query) => {
        const names = index.search(query).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  test('of ten thousand words costs no more than one of a hundred thousand: both are cut', () => {
    const words = (count: number, end: string): string =>
      Array.from({ length: count }, (_, place) => `word${place}${end}`).join(' ');
    const cost = (text: string): object => {
      const { stems, words: written, synonyms, joined } = readRequest(text, createSynonyms());
      const looked = stems.size + written.size + synonyms.length + joined.length;
      return { looked, sentences: sentencesOf(text).length };
    };
    for (const end of ['', '.']) {
      const [long, longer] = [cost(words(10_000, end)), cost(words(100_000, end))];
      expect(longer).toEqual(long);
    }
    expect(cost(words(10_000, '.'))).toEqual({ looked: expect.any(Number), sentences: 32 });
    expect(found(`create an issue. ${words(10_000, '.')}`)).toEqual(['create_issue']);
  });
});
