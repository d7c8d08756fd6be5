import { wordStem } from './word-stem.ts';

const FIRST_CAPACITY = 1024;

/** Numbers for words and for the stems that words share, from 1 on; what is no longer used gives its number back. */
export class Vocabulary {
  /** By word, its stem. */
  stemOf: Int32Array<ArrayBuffer> = new Int32Array(FIRST_CAPACITY);
  readonly #words = new Map<string, number>();
  readonly #stems = new Map<string, number>();
  // By number.
  readonly #wordTexts: string[] = [''];
  readonly #stemTexts: string[] = [''];
  readonly #wordsOf: number[][] = [[]];
  readonly #freeWords: number[] = [];
  readonly #freeStems: number[] = [];

  /** How many numbers were ever given out, and so how long a list by number must be. */
  get size(): number {
    return this.#wordTexts.length;
  }

  /** Makes room for so many words more. */
  reserve(words: number): void {
    this.stemOf = withRoom(this.stemOf, this.size + words);
  }

  /** The number of a word; a new one if there is none yet. */
  learn(text: string): number {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word = this.#freeWords.pop() ?? this.#wordTexts.length;
    const stem = this.#learnStem(wordStem(text));
    this.#words.set(text, word);
    this.#wordTexts[word] = text;
    this.stemOf = withRoom(this.stemOf, word);
    this.stemOf[word] = stem;
    this.#wordsOf[stem]?.push(word);
    return word;
  }

  /** Gives back the number of a word, and that of its stem if no other word has it. */
  forget(word: number): void {
    const stem = this.stemOf[word] ?? 0;
    const words = this.#wordsOf[stem]?.filter((other) => other !== word) ?? [];
    this.#wordsOf[stem] = words;
    this.#words.delete(this.#wordTexts[word] ?? '');
    this.#freeWords.push(word);
    if (words.length > 0) return;
    this.#stems.delete(this.#stemTexts[stem] ?? '');
    this.#freeStems.push(stem);
  }

  word(text: string): number | undefined {
    return this.#words.get(text);
  }

  stem(text: string): number | undefined {
    return this.#stems.get(text);
  }

  wordsOf(stem: number): readonly number[] {
    return this.#wordsOf[stem] ?? [];
  }

  #learnStem(text: string): number {
    const known = this.#stems.get(text);
    if (known !== undefined) return known;
    const stem = this.#freeStems.pop() ?? this.#stemTexts.length;
    this.#stems.set(text, stem);
    this.#stemTexts[stem] = text;
    this.#wordsOf[stem] = [];
    return stem;
  }
}

/** The same numbers with room for one at this place, most often the very same list. */
export function withRoom(numbers: Int32Array<ArrayBuffer>, place: number): Int32Array<ArrayBuffer> {
  if (place < numbers.length) return numbers;
  const larger = new Int32Array(Math.max(place + 1, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}
