import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { ListFreshness, mergeHints } from './list-freshness.ts';

describe('mergeHints', () => {
  test.each([
    [{}, {}, {}],
    [{}, { ttlMs: 500, cacheScope: 'public' }, { ttlMs: 500, cacheScope: 'public' }],
    [
      { ttlMs: 500, cacheScope: 'public' as const },
      { ttlMs: 200, cacheScope: 'private' },
      { ttlMs: 200, cacheScope: 'private' },
    ],
    [
      { ttlMs: 200, cacheScope: 'private' as const },
      { ttlMs: 500, cacheScope: 'public' },
      { ttlMs: 200, cacheScope: 'private' },
    ],
    [{}, { ttlMs: -1, cacheScope: 'everybody' }, {}],
    [{}, { ttlMs: 1e15 }, { ttlMs: 86_400_000 }],
  ])('of %j and a page that says %j is %j', (before, page, merged) => {
    expect(mergeHints(before, page)).toEqual(merged);
  });
});

describe('ListFreshness', () => {
  test('a list without a time is neither fresh nor stale', () => {
    const freshness = new ListFreshness(new ManualClock());
    freshness.read('tools', {});
    expect([freshness.isFresh('tools'), freshness.isStale('tools')]).toEqual([false, false]);
  });

  test('a list is fresh for the time it was given and stale afterwards, each by itself', async () => {
    const clock = new ManualClock();
    const freshness = new ListFreshness(clock);
    freshness.read('tools', { ttlMs: 100 });
    freshness.read('prompts', { ttlMs: 200 });
    await clock.advance(99);
    expect([freshness.isFresh('tools'), freshness.isStale('tools')]).toEqual([true, false]);
    await clock.advance(1);
    expect([freshness.isFresh('tools'), freshness.isStale('tools'), freshness.isFresh('prompts')]).toEqual([
      false,
      true,
      true,
    ]);
    freshness.forget();
    expect(freshness.isStale('tools')).toBe(false);
  });
});
