import { isStopWord } from './plain-words.ts';
import type { Postings, Term } from './postings.ts';
import { rawWords, wordForms } from './search-words.ts';
import { documentFields } from './tool-document.ts';
import type { ToolDocument } from './tool-document.ts';
import { wordStem } from './word-stem.ts';

/** The terms of a document, each with the weight that it gathered there. */
export interface WeighedDocument {
  readonly stems: readonly Term[];
  /** The words as they are written. */
  readonly words: readonly Term[];
  readonly length: number;
}

interface ReadWord {
  readonly stem: Term;
  readonly word: Term;
}

/** Reads and weighs many documents; they repeat words, and each word is worked out once. */
export class WordReader {
  readonly #stems: Postings;
  readonly #words: Postings;
  readonly #known = new Map<string, readonly ReadWord[]>();
  // By field: what is said of a server stands in each of its tools.
  readonly #previous: { text: string; words: readonly ReadWord[] }[] = [];

  constructor(stems: Postings, words: Postings) {
    this.#stems = stems;
    this.#words = words;
  }

  /** Weighs the words of a document; its weights must be put down or dropped before the next is weighed. */
  weigh(document: ToolDocument): WeighedDocument {
    const stems: Term[] = [];
    const words: Term[] = [];
    let length = 0;
    for (const [field, { text, weight, maxRepeats }] of documentFields(document).entries()) {
      for (const { stem, word } of this.#read(field, text)) {
        stem.repeats = stem.weight > 0 && stem.field === field ? stem.repeats + 1 : 1;
        stem.field = field;
        if (stem.repeats > maxRepeats) continue;
        if (stem.weight === 0) stems.push(stem);
        if (word.weight === 0) words.push(word);
        stem.weight += weight;
        word.weight += weight;
        length += weight;
      }
    }
    return { stems, words, length };
  }

  #read(field: number, text: string): readonly ReadWord[] {
    const previous = this.#previous[field];
    if (previous?.text === text) return previous.words;
    const words: ReadWord[] = [];
    for (const raw of rawWords(text)) {
      const known = this.#known.get(raw) ?? this.#learn(raw);
      for (const word of known) words.push(word);
    }
    this.#previous[field] = { text, words };
    return words;
  }

  #learn(raw: string): readonly ReadWord[] {
    const words = wordForms(raw)
      .filter((word) => !isStopWord(word))
      .map((word) => ({ stem: this.#stems.term(wordStem(word)), word: this.#words.term(word) }));
    this.#known.set(raw, words);
    return words;
  }
}
