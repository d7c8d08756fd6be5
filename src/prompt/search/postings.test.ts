import { expect, test } from 'vitest';
import { Postings } from './postings.ts';
import type { Lengths } from './postings.ts';
import { Vocabulary } from './vocabulary.ts';

const lengths: Lengths = { documents: 4, halfEffect: new Float64Array(4).fill(1) };

function put(postings: Postings, slot: number, texts: readonly string[]): void {
  postings.weigh({ number: 1, words: texts.map((text) => postings.learn(text)), weight: 1, maxRepeats: Infinity });
  postings.put(slot);
}

function stemScores(postings: Postings, text: string): readonly number[] {
  const scores = new Float64Array(4);
  postings.scoreStem({ text, weight: 1, maxRarity: 1 }, lengths, scores);
  return [...scores];
}

test('a stem weighs in a document what its words weigh there together', () => {
  const postings = new Postings();
  put(postings, 0, ['create', 'created', 'creates']);
  put(postings, 1, ['create', 'create', 'create']);
  put(postings, 2, ['other']);
  const [forms, same, none] = stemScores(postings, 'creat');
  expect(forms).toBe(same);
  expect(forms).toBeGreaterThan(0);
  expect(none).toBe(0);
  // Asked again, the answer is the same.
  expect(stemScores(postings, 'creat')).toEqual([forms, same, none, 0]);
});

test('a removed document leaves nothing behind, and its room is used again', () => {
  const postings = new Postings();
  put(postings, 0, ['alpha', 'beta']);
  put(postings, 1, ['beta', 'gamma']);
  const words = ['alpha', 'beta'].map((text) => postings.learn(text));
  postings.weigh({ number: 1, words, weight: 1, maxRepeats: Infinity });
  postings.remove(new Set([0]), postings.take());
  expect([stemScores(postings, 'alpha'), postings.rarity('alpha', 4)]).toEqual([[0, 0, 0, 0], 0]);
  expect(stemScores(postings, 'beta')[0]).toBe(0);
  expect(stemScores(postings, 'beta')[1]).toBeGreaterThan(0);
  put(postings, 0, ['delta']);
  expect(stemScores(postings, 'delta')[0]).toBeGreaterThan(0);
  expect(stemScores(postings, 'alpha')).toEqual([0, 0, 0, 0]);
});

test('a vocabulary that words come to and go from does not grow', () => {
  const vocabulary = new Vocabulary();
  for (let round = 0; round < 1000; round += 1) vocabulary.forget(vocabulary.learn(`word${round}x`));
  expect(vocabulary.size).toBeLessThan(4);
  expect(vocabulary.word('word5x')).toBeUndefined();
});

test('words that no document holds in the end are forgotten', () => {
  const postings = new Postings();
  for (let round = 0; round < 1000; round += 1) {
    const texts = [`kept${round}a`, `run${letters(round)}`, `run${letters(round)}s`];
    const weighed = (): void => {
      const words = texts.map((text) => postings.learn(text));
      postings.weigh({ number: 1, words, weight: 1, maxRepeats: 1 });
    };
    weighed();
    postings.put(0);
    postings.forgetUnheld();
    weighed();
    postings.remove(new Set([0]), postings.take());
    postings.forgetUnheld();
  }
  expect(new Set(['a', 'b', 'c', 'd'].map((text) => postings.learn(text)))).toEqual(new Set([1, 2, 3, 4]));
});

test('room grows with what comes, whatever was reserved', () => {
  const postings = new Postings();
  const texts = Array.from({ length: 5000 }, (_, place) => `w${place}`);
  put(postings, 3, texts);
  expect(stemScores(postings, 'w4999')[3]).toBeGreaterThan(0);
});

function letters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));
}
