import { Vocabulary, withRoom } from './vocabulary.ts';

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

/** One part of the document that is being weighed. */
export interface WeighedField {
  /** Tells it from the other fields. */
  readonly number: number;
  readonly words: readonly number[];
  readonly weight: number;
  readonly maxRepeats: number;
}

// What a document of the usual size brings that is new, and all that it brings.
const WORDS_PER_DOCUMENT = 4;
const ENTRIES_PER_DOCUMENT = 32;

type Numbers = Int32Array<ArrayBuffer>;

/** By word, in which documents it stands and with what weight; a stem stands wherever one of its words does. */
export class Postings {
  readonly #vocabulary = new Vocabulary();
  // Words, stems and entries are numbers and these are lists by number, 0 being none: tens of thousands of objects
  // would cost more in the compiler and the garbage collector than all the work on them.
  readonly #words = { holders: numbers(), entry: numbers(), weight: numbers() };
  readonly #stems = { holders: numbers(), weight: numbers(), repeats: numbers(), field: numbers() };
  // The entries of a word are chained.
  readonly #entries = { slot: numbers(), weight: numbers(), next: numbers() };
  #entryCount = 1;
  #freeEntry = 0;
  #weighed: number[] = [];
  // Held by no document when they were learned.
  #fresh: number[] = [];
  // By slot, for one stem at a time; all 0 in between.
  #sums = numbers();

  /** Makes room for so many documents more, at once and not by and by. */
  reserve(documents: number): void {
    this.#vocabulary.reserve(documents * WORDS_PER_DOCUMENT);
    this.#makeRoom(this.#vocabulary.size + documents * WORDS_PER_DOCUMENT);
    makeRoom(this.#entries, this.#entryCount + documents * ENTRIES_PER_DOCUMENT);
  }

  /** The number of a word. */
  learn(text: string): number {
    const word = this.#vocabulary.learn(text);
    if (word >= this.#words.weight.length) this.#makeRoom(word + 1);
    if (this.#words.holders[word] === 0) this.#fresh.push(word);
    return word;
  }

  /** Adds a field to the document that is being weighed, and gives what that adds to its length. */
  weigh({ number, words, weight, maxRepeats }: WeighedField): number {
    const { stemOf } = this.#vocabulary;
    const weightOf = this.#words.weight;
    const stems = this.#stems;
    let length = 0;
    for (const word of words) {
      const stem = stemOf[word] ?? 0;
      const ofStem = stems.weight[stem] ?? 0;
      const repeats = ofStem > 0 && stems.field[stem] === number ? (stems.repeats[stem] ?? 0) + 1 : 1;
      stems.repeats[stem] = repeats;
      stems.field[stem] = number;
      if (repeats > maxRepeats) continue;
      const ofWord = weightOf[word] ?? 0;
      if (ofWord === 0) this.#weighed.push(word);
      stems.weight[stem] = ofStem + weight;
      weightOf[word] = ofWord + weight;
      length += weight;
    }
    return length;
  }

  /** Puts the weighed document down. */
  put(slot: number): void {
    for (const word of this.#weighed) {
      this.#enter(word, slot);
      this.#words.holders[word] = (this.#words.holders[word] ?? 0) + 1;
    }
    this.#settle(1);
  }

  /** Gives the words of the weighed document, which is to be removed. */
  take(): readonly number[] {
    const words = this.#weighed;
    this.#settle(-1);
    return words;
  }

  /** Removes documents that were weighed and taken; `words` are all that stand in any of them. */
  remove(slots: ReadonlySet<number>, words: Iterable<number>): void {
    for (const word of words) {
      const gone = this.#unlink(word, slots);
      const holders = (this.#words.holders[word] ?? 0) - gone;
      this.#words.holders[word] = holders;
      if (holders <= 0) this.#vocabulary.forget(word);
    }
  }

  /** Lets go of words that were learned of late and that no document holds: they only repeat other words of their stem. */
  forgetUnheld(): void {
    const { holders } = this.#words;
    for (const word of new Set(this.#fresh.filter((learned) => holders[learned] === 0))) this.#vocabulary.forget(word);
    this.#fresh = [];
  }

  /** How much a stem tells documents apart; 0 for one that no document has. */
  rarity(text: string, documents: number): number {
    return rarityOf(this.#stems.holders[this.#vocabulary.stem(text) ?? 0] ?? 0, documents);
  }

  /** Adds one stem of a request to the scores, by slot. */
  scoreStem(use: TermUse, lengths: Lengths, scores: Float64Array): void {
    const words = this.#vocabulary.wordsOf(this.#vocabulary.stem(use.text) ?? 0);
    const rarity = Math.min(this.rarity(use.text, lengths.documents), use.maxRarity ?? Infinity);
    const [only = 0] = words;
    if (words.length > 1) this.#scoreAll(words, use.weight * rarity, { lengths, scores });
    else this.#scoreOne(only, use.weight * rarity, { lengths, scores });
  }

  /** Adds one word of a request, as it is written, to the scores, by slot. */
  scoreWord(use: TermUse, lengths: Lengths, scores: Float64Array): void {
    const word = this.#vocabulary.word(use.text) ?? 0;
    const rarity = rarityOf(this.#words.holders[word] ?? 0, lengths.documents);
    this.#scoreOne(word, use.weight * rarity, { lengths, scores });
  }

  #scoreOne(word: number, factor: number, { lengths, scores }: Scoring): void {
    const entries = this.#entries;
    for (let entry = this.#words.entry[word] ?? 0; entry !== 0; entry = entries.next[entry] ?? 0) {
      const slot = entries.slot[entry] ?? 0;
      const weight = entries.weight[entry] ?? 0;
      scores[slot] = (scores[slot] ?? 0) + (factor * weight) / (weight + (lengths.halfEffect[slot] ?? 1));
    }
  }

  /** What the words of a stem weigh in a document is one weight. */
  #scoreAll(words: readonly number[], factor: number, { lengths, scores }: Scoring): void {
    const entries = this.#entries;
    if (this.#sums.length < scores.length) this.#sums = new Int32Array(scores.length);
    const sums = this.#sums;
    const touched: number[] = [];
    for (const word of words) {
      for (let entry = this.#words.entry[word] ?? 0; entry !== 0; entry = entries.next[entry] ?? 0) {
        const slot = entries.slot[entry] ?? 0;
        const sum = sums[slot] ?? 0;
        if (sum === 0) touched.push(slot);
        sums[slot] = sum + (entries.weight[entry] ?? 0);
      }
    }
    for (const slot of touched) {
      const weight = sums[slot] ?? 0;
      scores[slot] = (scores[slot] ?? 0) + (factor * weight) / (weight + (lengths.halfEffect[slot] ?? 1));
      sums[slot] = 0;
    }
  }

  /** Lets go of the weighed document; one more or one less holds its stems. */
  #settle(change: 1 | -1): void {
    const { stemOf } = this.#vocabulary;
    for (const word of this.#weighed) {
      this.#words.weight[word] = 0;
      const stem = stemOf[word] ?? 0;
      if (this.#stems.weight[stem] === 0) continue;
      this.#stems.weight[stem] = 0;
      this.#stems.holders[stem] = (this.#stems.holders[stem] ?? 0) + change;
    }
    this.#weighed = [];
  }

  #makeRoom(words: number): void {
    makeRoom(this.#words, words);
    makeRoom(this.#stems, words);
  }

  #enter(word: number, slot: number): void {
    const entries = this.#entries;
    const entry = this.#freeEntry === 0 ? this.#entryCount++ : this.#freeEntry;
    if (entry === this.#freeEntry) this.#freeEntry = entries.next[entry] ?? 0;
    if (entry >= entries.next.length) makeRoom(entries, entry + 1);
    entries.slot[entry] = slot;
    entries.weight[entry] = this.#words.weight[word] ?? 0;
    entries.next[entry] = this.#words.entry[word] ?? 0;
    this.#words.entry[word] = entry;
  }

  /** Takes the entries of these documents out of a word's chain, and gives how many there were. */
  #unlink(word: number, slots: ReadonlySet<number>): number {
    const { slot, next } = this.#entries;
    let gone = 0;
    let kept = 0;
    for (let entry = this.#words.entry[word] ?? 0; entry !== 0;) {
      const following = next[entry] ?? 0;
      if (slots.has(slot[entry] ?? 0)) {
        next[entry] = this.#freeEntry;
        this.#freeEntry = entry;
        gone += 1;
      } else {
        next[entry] = kept;
        kept = entry;
      }
      entry = following;
    }
    this.#words.entry[word] = kept;
    return gone;
  }
}

interface Scoring {
  readonly lengths: Lengths;
  readonly scores: Float64Array;
}

function rarityOf(holders: number, documents: number): number {
  return holders === 0 ? 0 : Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
}

function numbers(): Numbers {
  return new Int32Array(1024);
}

function makeRoom(lists: Record<string, Numbers>, length: number): void {
  for (const [name, list] of Object.entries(lists)) lists[name] = withRoom(list, length - 1);
}
