import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

const entry = (key: string, text = 'text', group = 'g') => ({ key, group, text, at: 0 });

test('what was not used for longest goes first', () => {
  const cache = new BoundedCache({ maxEntries: 2, maxBytes: 1000 });
  cache.set(entry('a'));
  cache.set(entry('b'));
  cache.get('a');
  cache.set(entry('c'));
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.key)).toEqual(['a', undefined, 'c']);
});

test('a text that is too large is not kept, nor is the one it was to replace', () => {
  const cache = new BoundedCache({ maxEntries: 2, maxBytes: 10 });
  cache.set(entry('a'));
  cache.set(entry('a', 'ä'.repeat(5)));
  expect([cache.get('a'), cache.size, cache.bytes]).toEqual([undefined, 0, 0]);
});

test('a text that is too large drives no other out', () => {
  const cache = new BoundedCache({ maxEntries: 2, maxBytes: 10 });
  cache.set(entry('a'));
  cache.set(entry('b', 'x'.repeat(10)));
  expect([cache.get('a')?.text, cache.get('b')]).toEqual(['text', undefined]);
});

test('a group is forgotten together', () => {
  const cache = new BoundedCache({ maxEntries: 9, maxBytes: 1000 });
  for (const [key, group] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '1'],
  ] as const)
    cache.set(entry(key, 'x', group));
  cache.deleteGroup('1');
  expect([cache.get('a'), cache.get('b')?.text, cache.get('c'), cache.bytes]).toEqual([undefined, 'x', undefined, 2]);
});

test('never holds more than its limits', () => {
  const limits = fc.record({ maxEntries: fc.integer({ min: 1, max: 4 }), maxBytes: fc.integer({ min: 1, max: 40 }) });
  const sets = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.string({ maxLength: 30 })));
  fc.assert(
    fc.property(limits, sets, (limit, entries) => {
      const cache = new BoundedCache(limit);
      for (const [key, text] of entries) {
        cache.set(entry(key, text));
        expect(cache.size).toBeLessThanOrEqual(limit.maxEntries);
        expect(cache.bytes).toBeLessThanOrEqual(limit.maxBytes);
      }
      const kept = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key) => cache.get(key) ?? []);
      expect(cache.bytes).toBe(kept.reduce((sum, { key, text }) => sum + Buffer.byteLength(key + text), 0));
    }),
  );
});
