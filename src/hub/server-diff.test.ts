import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffServers } from './server-diff.ts';
import type { ServerDiff } from './server-diff.ts';

type Servers = ReadonlyMap<string, number>;

const diff = (current: Servers, wanted: Servers): ServerDiff =>
  diffServers(current, wanted, (left, right) => left === right);
const servers: fc.Arbitrary<Servers> = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__'), fc.nat({ max: 2 }), { noNullPrototype: false })
  .map((entries) => new Map(Object.entries(entries)));

test('[S3.set-servers] tells what is added, removed, changed and kept', () => {
  const current = new Map([
    ['kept', 1],
    ['changed', 1],
    ['removed', 1],
  ]);
  const wanted = new Map([
    ['added', 1],
    ['changed', 2],
    ['kept', 1],
  ]);
  expect(diff(current, wanted)).toEqual({
    added: ['added'],
    removed: ['removed'],
    changed: ['changed'],
    kept: ['kept'],
  });
});

test('[S3.set-servers] asks about a definition only where both have the name, the one in use first', () => {
  const asked: [string, string][] = [];
  diffServers(
    new Map([
      ['a', 'old'],
      ['b', 'old b'],
    ]),
    new Map([
      ['a', 'new'],
      ['c', 'new c'],
    ]),
    (left, right) => asked.push([left, right]) > 0,
  );
  expect(asked).toEqual([['old', 'new']]);
});

test('[S3.set-servers] the same set changes nothing', () => {
  fc.assert(
    fc.property(servers, (same) => {
      expect(diff(same, new Map(same))).toEqual({ added: [], removed: [], changed: [], kept: [...same.keys()] });
    }),
  );
});

test('[S3.set-servers] every wanted name is added, kept or changed, and every present one is removed, kept or changed, just once', () => {
  fc.assert(
    fc.property(servers, servers, (current, wanted) => {
      const { added, removed, changed, kept } = diff(current, wanted);
      expect([...added, ...changed, ...kept].toSorted()).toEqual([...wanted.keys()].toSorted());
      expect([...removed, ...changed, ...kept].toSorted()).toEqual([...current.keys()].toSorted());
    }),
  );
});

test('[S3.set-servers] what is kept is the same, what is changed is not', () => {
  fc.assert(
    fc.property(servers, servers, (current, wanted) => {
      const { changed, kept } = diff(current, wanted);
      expect(kept.every((name) => current.get(name) === wanted.get(name))).toBe(true);
      expect(changed.some((name) => current.get(name) === wanted.get(name))).toBe(false);
    }),
  );
});

test('[S3.set-servers] names come in the order of the set they are in', () => {
  fc.assert(
    fc.property(servers, servers, (current, wanted) => {
      const { added, removed, changed, kept } = diff(current, wanted);
      for (const names of [added, changed, kept])
        expect(names).toEqual([...wanted.keys()].filter((name) => names.includes(name)));
      expect(removed).toEqual([...current.keys()].filter((name) => removed.includes(name)));
    }),
  );
});

test('[S3.set-servers] going there and back exchanges what is added and what is removed', () => {
  fc.assert(
    fc.property(servers, servers, (current, wanted) => {
      const there = diff(current, wanted);
      const back = diff(wanted, current);
      expect([there.added, there.removed]).toEqual([back.removed, back.added]);
    }),
  );
});
