/** A word or stem, the documents that it stands in, and what it counts in the one that is being weighed. */
export interface Term {
  readonly text: string;
  /** Slot and weight by turns: one flat list is several times faster to run through than pairs. */
  documents: number[];
  weight: number;
  /** How often it was met in the field that is being read, and which field that is. */
  repeats: number;
  field: number;
}

/** What a word of a request adds to the score of the documents that hold it. */
export interface TermUse {
  readonly text: string;
  readonly weight: number;
  /** A rare word that only stands in for another one must not count for more than that. */
  readonly maxRarity?: number;
}

/** How long each document is in relation to the others. */
export interface Lengths {
  readonly documents: number;
  /** By slot: the weight at which a word has half of its full effect. */
  readonly halfEffect: Float64Array;
}

/** By word, in which documents it stands and with what weight. */
export class Postings {
  readonly #terms = new Map<string, Term>();

  /** The term of this text, which is made if there is none. */
  term(text: string): Term {
    const known = this.#terms.get(text);
    if (known) return known;
    const term = { text, documents: [], weight: 0, repeats: 0, field: -1 };
    this.#terms.set(text, term);
    return term;
  }

  /** Puts down the weights of a document, which its terms have gathered. */
  add(slot: number, terms: readonly Term[]): void {
    for (const term of terms) {
      term.documents.push(slot, term.weight);
      term.weight = 0;
    }
  }

  /** Takes documents out; `terms` are all that stand in any of them. */
  remove(slots: ReadonlySet<number>, terms: Iterable<Term>): void {
    for (const term of terms) {
      const kept: number[] = [];
      for (let index = 0; index < term.documents.length; index += 2) {
        const slot = term.documents[index] ?? 0;
        if (!slots.has(slot)) kept.push(slot, term.documents[index + 1] ?? 0);
      }
      term.documents = kept;
      if (kept.length === 0) this.#terms.delete(term.text);
    }
  }

  /** How much a word tells documents apart; 0 for a word that no document has. */
  rarity(text: string, documents: number): number {
    const term = this.#terms.get(text);
    if (!term) return 0;
    const holders = term.documents.length / 2;
    return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
  }

  /** Adds one word of a request to the scores, by slot. */
  score(use: TermUse, lengths: Lengths, scores: Float64Array): void {
    const list = this.#terms.get(use.text)?.documents;
    if (!list) return;
    const factor = use.weight * Math.min(this.rarity(use.text, lengths.documents), use.maxRarity ?? Infinity);
    for (let index = 0; index < list.length; index += 2) {
      const slot = list[index] ?? 0;
      const weight = list[index + 1] ?? 0;
      scores[slot] = (scores[slot] ?? 0) + (factor * weight) / (weight + (lengths.halfEffect[slot] ?? 1));
    }
  }
}
