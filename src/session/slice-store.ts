import { applyChange, frozenList } from './apply-change.ts';
import { McpError, messageOf } from '../errors.ts';
import { afterRecord } from './session-record.ts';
import type { AnySlice, SessionRecord } from './session-record.ts';
import type { Slice, SliceChange, SliceKind } from './slice.ts';

/** One slice and what is in it now. */
interface SliceCell {
  readonly slice: AnySlice;
  /** The slice's name, made unique in this session. */
  readonly name: string;
  items: readonly unknown[];
}

/** Lists by the names of slices, as a snapshot has them. */
export type SliceContents = Readonly<Record<string, readonly unknown[]>>;

export interface LogHandling {
  /** Leaves log slices as they are; true unless told otherwise. */
  readonly preserveLogs?: boolean;
}

/** The slices of one session and their committed items. */
export class SliceStore {
  readonly #cells = new Map<AnySlice, SliceCell>();
  readonly #names = new Set<string>();
  readonly #listening = new Map<string, SliceCell[]>();
  readonly #onError: (error: unknown) => void;
  /** What was restored for slices that are not registered yet. */
  #waiting: { readonly contents: Map<string, readonly unknown[]>; readonly preserveLogs: boolean } | undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  register<Item>(slice: Slice<Item>): void {
    this.#cellOf(slice as AnySlice);
  }

  /** Whether a slice has a reducer for this type of event. */
  listensTo(type: string): boolean {
    return this.#listening.has(type);
  }

  itemsOf<Item>(slice: Slice<Item>): readonly Item[] {
    return this.#cellOf(slice as AnySlice).items as readonly Item[];
  }

  /** Changes one slice at once; a condition that throws is the writer's to hear of. */
  write<Item>(slice: Slice<Item>, change: SliceChange<Item>): void {
    const cell = this.#cellOf(slice as AnySlice);
    cell.items = applyChange(cell.items, change as SliceChange<unknown>);
  }

  /** Does what was recorded to the slices of one kind, or of both; what fails is reported and the other slices change. */
  apply(record: SessionRecord, kind?: SliceKind): void {
    for (const cell of this.#cellsFor(record)) {
      if (kind !== undefined && cell.slice.kind !== kind) continue;
      try {
        cell.items = afterRecord(cell.slice, cell.items, record);
      } catch (error) {
        this.#onError(failure(cell, record, error));
      }
    }
  }

  /** What is in the slices by name, with what waits for its slice. */
  contents(kinds: readonly SliceKind[]): SliceContents {
    const cells = [...this.#cells.values()].filter(({ slice }) => kinds.includes(slice.kind));
    return Object.fromEntries([
      ...(this.#waiting?.contents ?? []),
      ...cells.map(({ name, items }): [string, readonly unknown[]] => [name, items]),
    ]);
  }

  /** Puts contents in the place of what is there; a slice that they lack is emptied. */
  restore(contents: SliceContents, { preserveLogs = true }: LogHandling = {}): void {
    const waiting = new Map(Object.entries(contents));
    for (const cell of this.#cells.values()) {
      const items = waiting.get(cell.name) ?? [];
      waiting.delete(cell.name);
      if (cell.slice.kind === 'state' || !preserveLogs) cell.items = frozenList(items);
    }
    this.#waiting = { contents: waiting, preserveLogs };
  }

  /** Puts every slice back to what it began with. */
  reset({ preserveLogs = true }: LogHandling = {}): void {
    this.#waiting = undefined;
    for (const cell of this.#cells.values()) {
      if (cell.slice.kind === 'state' || !preserveLogs) cell.items = frozenList(cell.slice.initial);
    }
  }

  /** Takes over the slices of another store under the names they have there; lists never change, so they are shared. */
  copyFrom(other: SliceStore): void {
    for (const { slice, name, items } of other.#cells.values()) this.#add({ slice, name, items });
    this.#waiting = other.#waiting && { ...other.#waiting, contents: new Map(other.#waiting.contents) };
  }

  #cellOf(slice: AnySlice): SliceCell {
    return this.#cells.get(slice) ?? this.#open(slice);
  }

  #open(slice: AnySlice): SliceCell {
    const name = this.#freeName(slice.name);
    return this.#add({ slice, name, items: frozenList(this.#restored(name, slice.kind) ?? slice.initial) });
  }

  #add(cell: SliceCell): SliceCell {
    this.#cells.set(cell.slice, cell);
    this.#names.add(cell.name);
    for (const type of Object.keys(cell.slice.reducers)) {
      this.#listening.set(type, [...(this.#listening.get(type) ?? []), cell]);
    }
    return cell;
  }

  #restored(name: string, kind: SliceKind): readonly unknown[] | undefined {
    const items = this.#waiting?.contents.get(name);
    this.#waiting?.contents.delete(name);
    return kind === 'log' && this.#waiting?.preserveLogs ? undefined : items;
  }

  #freeName(name: string): string {
    let free = name;
    for (let number = 2; this.#names.has(free); number += 1) free = `${name}#${number}`;
    return free;
  }

  #cellsFor(record: SessionRecord): readonly SliceCell[] {
    if (record.kind === 'change') return [this.#cellOf(record.slice)];
    return this.#listening.get(record.event.type) ?? [];
  }
}

function failure({ name }: SliceCell, record: SessionRecord, cause: unknown): McpError {
  const what = record.kind === 'event' ? `its reducer of '${record.event.type}'` : `a '${record.change.kind}'`;
  return new McpError(
    'SESSION_INVALID',
    `the slice '${name}' was left as it was: ${what} failed: ${messageOf(cause)}`,
    {
      cause,
    },
  );
}
