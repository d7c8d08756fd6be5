import { oneLine } from './first-sentence.ts';
import { NameIndex, selectedNames } from './name-index.ts';
import { ranked } from './ranked.ts';
import { compareText, rankSections } from './section-score.ts';
import type { SectionHit } from './section-score.ts';
import type { ToolDocument } from './tool-document.ts';
import { WordIndex } from './word-index.ts';
import type { PlacedDocument } from './word-index.ts';

/** A tool that a search found. */
export interface ToolHit {
  readonly name: string;
  readonly server?: string;
  readonly section?: string;
  /** What the tool does, in one line. */
  readonly oneLine: string;
  /** From 0 to 1, in relation to the best fit of this search; a tool that was asked for by name has 1. */
  readonly score: number;
  /** Whether the tool's section is open; absent when the search was not told which are. */
  readonly isOpen?: boolean;
}

export interface ToolSearchOptions {
  /** How many tools at most; 10 by default. */
  readonly limit?: number;
  /** Only tools of these sections. */
  readonly sections?: readonly string[];
  /** The sections that are open now, so that each hit can say whether it is. */
  readonly openSections?: ReadonlySet<string>;
}

const DEFAULT_LIMIT = 10;

/** Finds tools by name and by what they do, in open and closed sections alike; needs no server to be connected. */
export class ToolSearchIndex {
  readonly #words = new WordIndex();
  readonly #names = new NameIndex();
  readonly #byName = new Map<string, PlacedDocument>();
  readonly #freeSlots: number[] = [];
  #nextSlot = 0;
  #sorted: readonly PlacedDocument[] | undefined;

  constructor(documents: readonly ToolDocument[] = []) {
    this.add(documents);
  }

  get size(): number {
    return this.#byName.size;
  }

  /** Adds tools; one whose name is known replaces that tool. */
  add(documents: readonly ToolDocument[]): void {
    const byName = new Map(documents.map((document) => [document.name, document]));
    this.remove([...byName.keys()]);
    const entries = [...byName.values()].map((document) => this.#toEntry(document));
    this.#words.add(entries);
    for (const entry of entries) {
      this.#names.add(entry.document);
      this.#byName.set(entry.document.name, entry);
    }
    this.#sorted = undefined;
  }

  /** Takes tools out; names that are not there are none of its business. */
  remove(names: Iterable<string>): void {
    const entries = [...new Set(names)].flatMap((name) => this.#byName.get(name) ?? []);
    if (entries.length === 0) return;
    this.#words.remove(entries);
    for (const { slot, document } of entries) {
      this.#names.remove(document);
      this.#byName.delete(document.name);
      this.#freeSlots.push(slot);
    }
    this.#sorted = undefined;
  }

  /** Makes these the tools of a server, whatever it had before; an empty list removes the server. */
  setServer(server: string, documents: readonly ToolDocument[]): void {
    this.remove(this.#all().flatMap(({ document }) => (document.server === server ? [document.name] : [])));
    this.add(documents.map((document) => ({ ...document, server })));
  }

  /** Every tool in the index, sorted by name. */
  documents(): readonly ToolDocument[] {
    return this.#all().map(({ document }) => document);
  }

  /** The best tools for a request, after those that are called so; for `select:a,b` exactly the tools so called. */
  search(query: string, options: ToolSearchOptions = {}): readonly ToolHit[] {
    return this.#searchWith(query, options, () => this.#words.score(query));
  }

  /** As `search`, ranked by scores from elsewhere, one per document in the order of `documents()`. */
  searchByScores(query: string, scores: readonly number[], options: ToolSearchOptions = {}): readonly ToolHit[] {
    return this.#searchWith(query, options, () => {
      const bySlot = new Float64Array(this.#nextSlot);
      for (const [index, { slot }] of this.#all().entries()) bySlot[slot] = scores[index] ?? 0;
      return bySlot;
    });
  }

  /** How well each tool's words fit, from 0 to 1, in the order of `documents()`. */
  scores(query: string): readonly number[] {
    const scores = this.#words.score(query);
    return this.#all().map(({ slot }) => scores[slot] ?? 0);
  }

  /** The sections whose tools fit a request best. */
  searchSections(query: string, options: { readonly limit?: number } = {}): readonly SectionHit[] {
    const hits = this.search(query, { limit: Infinity });
    const inSections = hits.flatMap(({ name, section, score }) =>
      section === undefined ? [] : [{ name, section, score }],
    );
    return rankSections(inSections).slice(0, options.limit ?? DEFAULT_LIMIT);
  }

  #searchWith(query: string, options: ToolSearchOptions, scoreSlots: () => Float64Array): readonly ToolHit[] {
    const sections = options.sections && new Set(options.sections);
    const isWanted = ({ document }: PlacedDocument): boolean =>
      !sections || (document.section !== undefined && sections.has(document.section.key));
    const selected = selectedNames(query);
    if (selected)
      return this.#named(selected)
        .filter(isWanted)
        .map((entry) => toHit(entry, 1, options));
    const limit = Math.max(0, Math.ceil(options.limit ?? DEFAULT_LIMIT));
    const named = new Set(this.#named([query]).filter(isWanted).slice(0, limit));
    const scores = scoreSlots();
    const scoreOf = (entry: PlacedDocument): number =>
      isWanted(entry) && !named.has(entry) ? (scores[entry.slot] ?? 0) : 0;
    const others = ranked(this.#all(), scoreOf, limit - named.size);
    return [
      ...[...named].map((entry) => toHit(entry, 1, options)),
      ...others.map(({ item, score }) => toHit(item, score, options)),
    ];
  }

  #named(names: readonly string[]): readonly PlacedDocument[] {
    const found = new Set(names.flatMap((name) => this.#names.find(name)));
    return [...found].flatMap((name) => this.#byName.get(name) ?? []);
  }

  #toEntry(document: ToolDocument): PlacedDocument {
    const slot = this.#freeSlots.pop() ?? this.#nextSlot++;
    return { slot, document };
  }

  /** Sorted by name, so that equal scores come in one order whatever was added first. */
  #all(): readonly PlacedDocument[] {
    return (this.#sorted ??= [...this.#byName.values()].toSorted((left, right) =>
      compareText(left.document.name, right.document.name),
    ));
  }
}

function toHit(entry: PlacedDocument, score: number, options: ToolSearchOptions): ToolHit {
  const { name, server, section, description = '' } = entry.document;
  return {
    name,
    ...(server !== undefined && { server }),
    ...(section && { section: section.key }),
    oneLine: oneLine(description),
    score,
    ...(options.openSections && { isOpen: section === undefined || options.openSections.has(section.key) }),
  };
}
