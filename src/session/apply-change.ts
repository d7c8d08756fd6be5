import { McpError } from '../errors.ts';
import type { SliceChange } from './slice.ts';

/** What a slice's items become by one change; the very same list when nothing changes. */
export function applyChange<Item>(items: readonly Item[], change: SliceChange<Item>): readonly Item[] {
  switch (change.kind) {
    case 'append':
      return Object.freeze([...items, change.item]);
    case 'extend':
      return change.items.length === 0 ? items : Object.freeze([...items, ...change.items]);
    case 'replace':
      return frozenList(change.items);
    case 'clear':
      return withoutMatches(items, change.where);
    case 'upsert':
      return withItem(items, change.item, change.isSame);
    default:
      // A reducer written without types may return anything, a promise for instance.
      throw new McpError('SESSION_INVALID', 'a reducer must return a change of a slice, or undefined');
  }
}

/** The list itself if it can never change, else a copy that cannot. */
export function frozenList<Item>(items: readonly Item[]): readonly Item[] {
  return Object.isFrozen(items) ? items : Object.freeze([...items]);
}

function withoutMatches<Item>(items: readonly Item[], where?: (item: Item) => boolean): readonly Item[] {
  const kept = where ? items.filter((item) => !where(item)) : [];
  return kept.length === items.length ? items : Object.freeze(kept);
}

function withItem<Item>(items: readonly Item[], item: Item, isSame: (item: Item) => boolean): readonly Item[] {
  const place = items.findIndex((candidate) => isSame(candidate));
  return Object.freeze(place === -1 ? [...items, item] : items.with(place, item));
}
