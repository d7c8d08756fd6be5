import { isStopWord } from './plain-words.ts';
import type { Postings } from './postings.ts';
import { rawWords, wordForms } from './search-words.ts';
import { documentFields } from './tool-document.ts';
import type { ToolDocument } from './tool-document.ts';

/** Reads many documents; they repeat words, and each word is worked out once. */
export class WordReader {
  readonly #postings: Postings;
  // The number of the word; 0 for one that says nothing, and below 0 the place of several: `context7` is `context` too.
  readonly #known = new Map<string, number>();
  readonly #several: (readonly number[])[] = [[]];
  // By field: what is said of a server stands in each of its tools.
  readonly #previous = new Map<number, { readonly text: string; readonly words: readonly number[] }>();

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /** Weighs a document, which must be put down or taken before the next is weighed, and gives its length. */
  weigh(document: ToolDocument): number {
    let length = 0;
    let number = 0;
    for (const { text, weight, maxRepeats } of documentFields(document)) {
      number += 1;
      if (text === '') continue;
      length += this.#postings.weigh({ number, words: this.#read(number, text), weight, maxRepeats });
    }
    return length;
  }

  #read(field: number, text: string): readonly number[] {
    const previous = this.#previous.get(field);
    if (previous?.text === text) return previous.words;
    const words: number[] = [];
    for (const raw of rawWords(text)) {
      const word = this.#known.get(raw) ?? this.#learn(raw);
      if (word > 0) words.push(word);
      else if (word < 0) for (const each of this.#several[-word] ?? []) words.push(each);
    }
    this.#previous.set(field, { text, words });
    return words;
  }

  #learn(raw: string): number {
    const words: number[] = [];
    for (const form of wordForms(raw)) if (!isStopWord(form)) words.push(this.#postings.learn(form));
    const word = words.length > 1 ? -this.#several.length : (words[0] ?? 0);
    if (words.length > 1) this.#several.push(words);
    this.#known.set(raw, word);
    return word;
  }
}
