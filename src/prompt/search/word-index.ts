import { Postings } from './postings.ts';
import type { Lengths } from './postings.ts';
import { readRequest, sentencesOf } from './search-request.ts';
import type { SearchRequest } from './search-request.ts';
import { createSynonyms } from './synonyms.ts';
import type { ToolDocument } from './tool-document.ts';
import { WordReader } from './word-reader.ts';

// How the parts of a request count beside its stems; docs/decisions/0013 has the figures.
const AS_WRITTEN = 0.3;
const SYNONYM = 0.3;
const JOINED = 0.5;
const SENTENCE_SHARE = 0.5;
const FULL_SENTENCE = 4;
// BM25: how soon repeats stop counting, and how much long documents lose.
const SATURATION = 7.2;
const LENGTH_EFFECT = 0.75;

/** A document and its place in the index, a small number. */
export interface PlacedDocument {
  readonly slot: number;
  readonly document: ToolDocument;
}

/** Scores documents by the words they share with a request. */
export class WordIndex {
  readonly #synonyms = createSynonyms();
  readonly #postings = new Postings();
  readonly #lengthBySlot = new Map<number, number>();
  #totalLength = 0;
  #capacity = 0;
  #lengths: Lengths | undefined;

  add(placed: readonly PlacedDocument[]): void {
    this.#postings.reserve(placed.length);
    const reader = new WordReader(this.#postings);
    for (const { slot, document } of placed) {
      const length = reader.weigh(document);
      this.#postings.put(slot);
      this.#lengthBySlot.set(slot, length);
      this.#totalLength += length;
      this.#capacity = Math.max(this.#capacity, slot + 1);
    }
    this.#postings.forgetUnheld();
    this.#lengths = undefined;
  }

  /** Takes documents out, which must be the very ones that were added. */
  remove(placed: readonly PlacedDocument[]): void {
    const gone = new Set<number>();
    const reader = new WordReader(this.#postings);
    // Weighing them again is cheaper than remembering the words of every document.
    for (const { slot, document } of placed) {
      this.#totalLength -= reader.weigh(document);
      for (const word of this.#postings.take()) gone.add(word);
      this.#lengthBySlot.delete(slot);
    }
    this.#postings.remove(new Set(placed.map(({ slot }) => slot)), gone);
    this.#postings.forgetUnheld();
    this.#lengths = undefined;
  }

  /** By slot how well a document fits, from 0 to 1 for the best one. */
  score(text: string): Float64Array {
    const whole = toUnit(this.#scoreRequest(readRequest(text, this.#synonyms)));
    const sentences = sentencesOf(text);
    return sentences.length > 1 ? this.#withSentences(whole, sentences) : whole;
  }

  /** Each sentence may ask for another tool, which the whole would drown. */
  #withSentences(whole: Float64Array, sentences: readonly string[]): Float64Array {
    const best = new Float64Array(whole.length);
    for (const sentence of sentences) {
      const request = readRequest(sentence, this.#synonyms);
      const scores = toUnit(this.#scoreRequest(request));
      // Two or three words left alone fit too many tools to be trusted fully.
      const trust = Math.min(1, request.size / FULL_SENTENCE);
      for (let slot = 0; slot < best.length; slot += 1)
        best[slot] = Math.max(best[slot] ?? 0, (scores[slot] ?? 0) * trust);
    }
    const bySentence = toUnit(best);
    const mixed = new Float64Array(whole.length);
    for (let slot = 0; slot < mixed.length; slot += 1)
      mixed[slot] = (1 - SENTENCE_SHARE) * (whole[slot] ?? 0) + SENTENCE_SHARE * (bySentence[slot] ?? 0);
    return toUnit(mixed);
  }

  #scoreRequest(request: SearchRequest): Float64Array {
    const lengths = (this.#lengths ??= this.#measureLengths());
    const scores = new Float64Array(this.#capacity);
    const postings = this.#postings;
    for (const [text, weight] of request.stems) postings.scoreStem({ text, weight }, lengths, scores);
    for (const [text, weight] of request.words)
      postings.scoreWord({ text, weight: AS_WRITTEN * weight }, lengths, scores);
    for (const { stem, of, weight } of request.synonyms) {
      const maxRarity = postings.rarity(of, lengths.documents) || Infinity;
      postings.scoreStem({ text: stem, weight: SYNONYM * weight, maxRarity }, lengths, scores);
    }
    for (const text of request.joined) postings.scoreStem({ text, weight: JOINED }, lengths, scores);
    return scores;
  }

  #measureLengths(): Lengths {
    const halfEffect = new Float64Array(this.#capacity);
    const mean = this.#totalLength / this.#lengthBySlot.size || 1;
    for (const [slot, length] of this.#lengthBySlot)
      halfEffect[slot] = SATURATION * (1 - LENGTH_EFFECT + (LENGTH_EFFECT * length) / mean);
    return { documents: this.#lengthBySlot.size, halfEffect };
  }
}

/** Divides by the greatest, in place. */
function toUnit(scores: Float64Array): Float64Array {
  let greatest = 0;
  for (let slot = 0; slot < scores.length; slot += 1) greatest = Math.max(greatest, scores[slot] ?? 0);
  if (greatest > 0) for (let slot = 0; slot < scores.length; slot += 1) scores[slot] = (scores[slot] ?? 0) / greatest;
  return scores;
}
