import type { SessionEvent } from './session-event.ts';

/** State is rolled back with a failed call; a log never forgets. */
export type SliceKind = 'state' | 'log';

/** What a reducer makes of a slice. */
export type SliceChange<Item> =
  | { readonly kind: 'append'; readonly item: Item }
  | { readonly kind: 'extend'; readonly items: readonly Item[] }
  | { readonly kind: 'replace'; readonly items: readonly Item[] }
  | { readonly kind: 'clear'; readonly where?: (item: Item) => boolean }
  | { readonly kind: 'upsert'; readonly item: Item; readonly isSame: (item: Item) => boolean };

/** Pure: what an event changes; undefined leaves the slice as it is. */
export type Reducer<Item> = (items: readonly Item[], event: SessionEvent) => SliceChange<Item> | undefined;

/** An ordered list of immutable values in a session, known by this very object. */
export interface Slice<Item> {
  readonly name: string;
  readonly kind: SliceKind;
  readonly initial: readonly Item[];
  /** By type of event. */
  readonly reducers: Readonly<Record<string, Reducer<Item>>>;
}

/** A slice of no matter what. */
export interface SliceOfAnything {
  readonly name: string;
  readonly kind: SliceKind;
  readonly initial: readonly unknown[];
  readonly reducers: Readonly<Record<string, (items: never, event: SessionEvent) => unknown>>;
}

/** One slice as one scope sees it. */
export interface SliceView<Item> {
  all(): readonly Item[];
  latest(): Item | undefined;
  where(matches: (item: Item) => boolean): readonly Item[];
  append(item: Item): void;
  extend(items: readonly Item[]): void;
  replace(items: readonly Item[]): void;
  /** Takes out the items that match, or all. */
  clear(where?: (item: Item) => boolean): void;
  /** Puts an item in the place of the one that is the same, or at the end. */
  upsert(item: Item, isSame: (item: Item) => boolean): void;
}

/** What a slice is made of; all but its name may be left out. */
export interface SliceDefinition<Item> {
  readonly name: string;
  readonly kind?: SliceKind;
  readonly initial?: readonly Item[];
  /** By type of event; a reducer may state the one event it is chosen for. */
  readonly reducers?: Readonly<Record<string, ChosenReducer<Item>['reduce']>>;
}

/** Makes a slice; keep the object, because sessions know the slice by it. */
export function defineSlice<Item>({ name, kind, initial, reducers }: SliceDefinition<Item>): Slice<Item> {
  return Object.freeze({
    name,
    kind: kind ?? 'state',
    initial: Object.freeze([...(initial ?? [])]),
    reducers: Object.freeze({ ...reducers }),
  });
}

/** A method, because only a method's parameter may be narrower: the key under which it stands is the event's type. */
interface ChosenReducer<Item> {
  reduce(items: readonly Item[], event: SessionEvent): SliceChange<Item> | undefined;
}
