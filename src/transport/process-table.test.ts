import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noticesTerm, parseChildren, parseOwners, parseStat, treeOf } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

const entry = (pid: number, parent: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent,
  group: pid,
  session: 1,
  state: 'S',
  owners: [],
  ...more,
});
const pidsOf = (entries: readonly ProcessEntry[]): readonly number[] => entries.map(({ pid }) => pid);

describe('parseStat', () => {
  test('reads a process whose name has spaces and parentheses', () => {
    expect(parseStat('42 (a) S 9 (b)) R 7 40 39 0 -1 4194304 100')).toEqual({
      pid: 42,
      parent: 7,
      group: 40,
      session: 39,
      state: 'R',
    });
  });

  test.each(['', 'nothing', '42 (name', '42 (name) S'])('reads nothing from %j', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });
});

test('parseOwners reads every mark', () => {
  expect(parseOwners('PATH=/bin\0FAIRLEAD_OWNER=outer/1 inner/2\0HOME=/\0')).toEqual(['outer/1', 'inner/2']);
  expect(parseOwners('NOT_FAIRLEAD_OWNER=x\0')).toEqual([]);
  expect(parseOwners('')).toEqual([]);
});

test('parseChildren reads pids', () => {
  expect(parseChildren('12 13 ')).toEqual([12, 13]);
  expect(parseChildren('')).toEqual([]);
});

describe('noticesTerm', () => {
  const status = (ignored: string, caught: string, pids = '77'): string =>
    `Name:\tx\nNSpid:\t${pids}\nSigBlk:\t0000000000000000\nSigIgn:\t${ignored}\nSigCgt:\t${caught}\n`;
  const none = '0000000000000000';
  const term = '0000000000004000';

  test.each([
    ['an ordinary process', status(none, none), true],
    ['a process that handles it', status(none, term), true],
    ['a process that ignores it', status(term, none), false],
    ['the first process of a namespace', status(none, none, '77\t1'), false],
    ['the first process of a namespace that handles it', status(none, term, '77\t1'), true],
    ['a later process of a namespace', status(none, none, '78\t2'), true],
    ['a text without any of it', '', true],
  ])('knows whether SIGTERM reaches %s', (_, text, expected) => {
    expect(noticesTerm(text)).toBe(expected);
  });
});

describe('treeOf', () => {
  test('finds the session, the group, the marked and the descendants of each', () => {
    const table = [
      entry(1, 0),
      entry(10, 1, { session: 10 }),
      entry(11, 10, { session: 10, group: 10 }),
      entry(12, 1, { session: 10 }),
      entry(13, 1, { group: 10, session: 5 }),
      entry(20, 11, { session: 20 }),
      entry(21, 20, { session: 21 }),
      entry(30, 1, { owners: ['outer/1', 'hub/7'] }),
      entry(31, 30),
      entry(40, 1, { owners: ['hub/70'] }),
      entry(41, 1),
    ];
    expect(pidsOf(treeOf(table, { leaders: [10], mark: 'hub/7' }))).toEqual([10, 11, 12, 13, 20, 21, 30, 31]);
  });

  test("finds all servers of a hub by the hub's own mark", () => {
    const table = [
      entry(2, 1, { owners: ['hub/1'] }),
      entry(3, 1, { owners: ['hub/2'] }),
      entry(4, 1, { owners: ['hubs/1'] }),
    ];
    expect(pidsOf(treeOf(table, { leaders: [], mark: 'hub' }))).toEqual([2, 3]);
  });

  test('does not count the dead', () => {
    const table = [entry(10, 1, { session: 10, state: 'Z' }), entry(11, 10, { state: 'X' }), entry(12, 10)];
    expect(pidsOf(treeOf(table, { leaders: [10], mark: 'hub' }))).toEqual([12]);
  });

  test('finds exactly what hangs together, in whatever order the table is', () => {
    const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(parents, fc.nat(), (seeds, seed) => {
        // Each process has a parent that is older than itself.
        const table = seeds.map((value, index) => entry(index + 2, 1 + (value % (index + 1))));
        const root = 2 + (seed % table.length);
        const marked = table.map((one) => (one.pid === root ? { ...one, owners: ['hub/1'] } : one));
        const found = new Set(pidsOf(treeOf(marked.toReversed(), { leaders: [], mark: 'hub/1' })));
        for (const { pid, parent } of table) expect(found.has(pid)).toBe(pid === root || found.has(parent));
      }),
    );
  });
});
