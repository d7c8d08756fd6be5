import { expect, test } from 'vitest';
import { afterRecord, afterRecords, changeOf } from './session-record.ts';
import type { AnySlice, SessionRecord } from './session-record.ts';
import { defineSlice } from './slice.ts';

const Notes = defineSlice<unknown>({
  name: 'notes',
  reducers: {
    noted: (items) => ({ kind: 'append', item: items.length }),
    ignored: () => undefined,
    failed: () => {
      throw new Error('broken');
    },
  },
});

function event(type: string): SessionRecord {
  return { kind: 'event', event: { type } };
}

test('an event changes a slice as its reducer says, a change as it says itself', () => {
  const other: AnySlice = defineSlice({ name: 'notes' });
  const items = ['first'];
  expect(afterRecord(Notes, items, event('noted'))).toEqual(['first', 1]);
  expect(afterRecord(Notes, items, changeOf(Notes, { kind: 'clear' }))).toEqual([]);
  expect(afterRecord(Notes, items, changeOf(other, { kind: 'clear' }))).toBe(items);
});

test.each(['ignored', 'unknown', 'constructor', 'toString', '__proto__'])(
  'an event without a change leaves the very same list: %s',
  (type) => {
    const items = ['first'];
    expect(afterRecord(Notes, items, event(type))).toBe(items);
  },
);

test('records are done in order, and one that fails is passed over', () => {
  const records = [event('noted'), event('failed'), changeOf(Notes, { kind: 'append', item: 'x' }), event('noted')];
  expect(() => afterRecord(Notes, [], event('failed'))).toThrow('broken');
  expect(afterRecords(Notes, [], records)).toEqual([0, 'x', 2]);
});
