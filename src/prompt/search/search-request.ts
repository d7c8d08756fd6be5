import { contentWords, isStopWord } from './plain-words.ts';
import { searchWords } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { wordStem } from './word-stem.ts';

/** What a request, or one sentence of it, asks for. */
export interface SearchRequest {
  /** By stem, how much it counts. */
  readonly stems: ReadonlyMap<string, number>;
  /** By word as it was written, how much it counts. */
  readonly words: ReadonlyMap<string, number>;
  /** Words that mean the same as one of the request's, and which. */
  readonly synonyms: readonly { readonly stem: string; readonly of: string; readonly weight: number }[];
  /** Neighbours that a tool may write as one word: `key vault`, `keyvault`. */
  readonly joined: readonly string[];
  readonly size: number;
}

const SENTENCE_BREAK = /(?<=[.!?;])\s+|(?<=[。！？；])|\n+|,\s+(?:and|then)\s+/;
const MAX_LENGTH = 8000;
const MAX_SENTENCES = 32;

/** The sentences of a request: each may ask for a tool of its own. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .slice(0, MAX_LENGTH)
    .split(SENTENCE_BREAK)
    .filter((sentence) => sentence.trim() !== '')
    .slice(0, MAX_SENTENCES);
}

export function readRequest(text: string, synonyms: Synonyms): SearchRequest {
  const all = searchWords(text.slice(0, MAX_LENGTH));
  const content = contentWords(all);
  const stems = countsBy(content, wordStem);
  return {
    stems: damped(stems),
    words: damped(countsBy(content, (word) => word)),
    synonyms: [...stems].flatMap(([of, count]) =>
      (synonyms.get(of) ?? []).flatMap((stem) => (stems.has(stem) ? [] : [{ stem, of, weight: dampedCount(count) }])),
    ),
    joined: [...new Set(neighbours(all))].filter((stem) => !stems.has(stem)),
    size: content.length,
  };
}

function neighbours(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    return next === undefined || isStopWord(word) || isStopWord(next) ? [] : [wordStem(`${word}${next}`)];
  });
}

function countsBy(words: readonly string[], key: (word: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(key(word), (counts.get(key(word)) ?? 0) + 1);
  return counts;
}

function damped(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...counts].map(([key, count]) => [key, dampedCount(count)]));
}

/** Saying a word thrice does not make it three times as important. */
function dampedCount(count: number): number {
  return 1 + Math.log(count);
}
