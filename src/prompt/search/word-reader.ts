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
      for (const { stem, word } of this.#read(text)) {
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

  #read(text: string): readonly ReadWord[] {
    const words: ReadWord[] = [];
    for (const raw of text === '' ? [] : rawWords(text)) {
      for (const word of this.#known.get(raw) ?? this.#learn(raw)) words.push(word);
    }
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
