import { frozenList } from './apply-change.ts';
import type { Slice, SliceChange, SliceView } from './slice.ts';

/** Where a view reads and writes: a session, or a transaction on it. */
export interface SliceSource {
  itemsOf<Item>(slice: Slice<Item>): readonly Item[];
  write<Item>(slice: Slice<Item>, change: SliceChange<Item>): void;
}

/** A slice as its source has it at the moment of each call. */
export class BoundSliceView<Item> implements SliceView<Item> {
  readonly #slice: Slice<Item>;
  readonly #source: SliceSource;

  constructor(slice: Slice<Item>, source: SliceSource) {
    this.#slice = slice;
    this.#source = source;
  }

  all(): readonly Item[] {
    return this.#source.itemsOf(this.#slice);
  }

  latest(): Item | undefined {
    return this.all().at(-1);
  }

  where(matches: (item: Item) => boolean): readonly Item[] {
    return this.all().filter((item) => matches(item));
  }

  append(item: Item): void {
    this.#source.write(this.#slice, { kind: 'append', item });
  }

  extend(items: readonly Item[]): void {
    // A transaction keeps the change; the writer's list may be another by then.
    this.#source.write(this.#slice, { kind: 'extend', items: frozenList(items) });
  }

  replace(items: readonly Item[]): void {
    this.#source.write(this.#slice, { kind: 'replace', items: frozenList(items) });
  }

  clear(where?: (item: Item) => boolean): void {
    this.#source.write(this.#slice, { kind: 'clear', ...(where && { where }) });
  }

  upsert(item: Item, isSame: (item: Item) => boolean): void {
    this.#source.write(this.#slice, { kind: 'upsert', item, isSame });
  }
}
