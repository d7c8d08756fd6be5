import { applyChange } from './apply-change.ts';
import type { SessionEvent } from './session-event.ts';
import type { Slice, SliceChange } from './slice.ts';

/** A slice whose items are of any type; its object vouches for what is in it. */
export type AnySlice = Slice<unknown>;

/** One thing that was done to a session: an event for every slice that listens, or a change of one slice. */
export type SessionRecord =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'change'; readonly slice: AnySlice; readonly change: SliceChange<unknown> };

export function changeOf<Item>(slice: Slice<Item>, change: SliceChange<Item>): SessionRecord {
  return { kind: 'change', slice: slice as AnySlice, change: change as SliceChange<unknown> };
}

/** What a slice's items become by one record; throws what its reducer or condition throws. */
export function afterRecord(slice: AnySlice, items: readonly unknown[], record: SessionRecord): readonly unknown[] {
  if (record.kind === 'change') return record.slice === slice ? applyChange(items, record.change) : items;
  const { event } = record;
  // A type that every object inherits, such as `constructor`, is no reducer.
  const reducer = Object.hasOwn(slice.reducers, event.type) ? slice.reducers[event.type] : undefined;
  const change = reducer?.(items, event);
  return change === undefined ? items : applyChange(items, change);
}

/** What a slice's items would become by several records; one that fails is passed over, as it is when committed. */
export function afterRecords(
  slice: AnySlice,
  items: readonly unknown[],
  records: readonly SessionRecord[],
): readonly unknown[] {
  let after = items;
  for (const record of records) {
    try {
      after = afterRecord(slice, after, record);
    } catch {
      // Who commits hears of it; who reads has nothing to do with it.
    }
  }
  return after;
}
