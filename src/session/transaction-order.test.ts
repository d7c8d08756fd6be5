import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Session } from './session.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionScope } from './session-scope.ts';
import { defineSlice } from './slice.ts';
import type { Transaction } from './transaction.ts';

interface Mixed extends SessionEvent {
  readonly type: 'mixed';
  readonly value: number;
}

interface Entry {
  readonly key: number;
  readonly value: number;
}

// What it makes of an event depends on what is there, so that any other order shows.
const Mix = defineSlice<number>({
  name: 'mix',
  reducers: {
    mixed: (items, event: Mixed) =>
      event.value % 5 === 0
        ? { kind: 'clear', where: (item) => item % 2 === 0 }
        : { kind: 'append', item: (items.at(-1) ?? 1) * 3 + event.value },
  },
});
const Entries = defineSlice<Entry>({
  name: 'entries',
  reducers: {
    mixed: (items, event: Mixed) => ({
      kind: 'upsert',
      item: { key: event.value % 3, value: items.length },
      isSame: ({ key }) => key === event.value % 3,
    }),
  },
});
const Seen = defineSlice<number>({
  name: 'seen',
  kind: 'log',
  reducers: { mixed: (_, event: Mixed) => ({ kind: 'append', item: event.value }) },
});

type Act = (scope: SessionScope) => void;

type Step =
  | { readonly kind: 'begin'; readonly in: number | undefined }
  | { readonly kind: 'act'; readonly who: number; readonly act: Act; readonly event?: number }
  | { readonly kind: 'end'; readonly who: number; readonly by: 'commit' | 'rollback' };

const who = fc.nat({ max: 5 });
const value = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.option(who, { nil: undefined }).map((into) => ({ kind: 'begin' as const, in: into })) },
  {
    weight: 6,
    arbitrary: fc.record({ who, value, what: fc.nat({ max: 5 }) }).map(({ who: actor, value: given, what }) => ({
      kind: 'act' as const,
      who: actor,
      ...actOf(what, given),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      who,
      by: fc.constantFrom('commit' as const, 'rollback' as const),
    }),
  },
);

function actOf(what: number, given: number): { readonly act: Act; readonly event?: number } {
  switch (what) {
    case 0:
      return { act: (scope) => scope.slice(Mix).append(given) };
    case 1:
      return { act: (scope) => scope.slice(Mix).clear((item) => item % 4 === given % 4) };
    case 2:
      return {
        act: (scope) => scope.slice(Entries).upsert({ key: given % 3, value: given }, ({ key }) => key === given % 3),
      };
    case 3:
      return { act: (scope) => scope.slice(Entries).replace([{ key: 9, value: given }]) };
    default:
      return { act: (scope) => scope.dispatch({ type: 'mixed', value: given } as Mixed), event: given };
  }
}

/** A transaction, and beside it the plain list of what it should amount to. */
interface Tracked {
  readonly transaction: Transaction;
  readonly parent: Tracked | undefined;
  readonly acts: Act[];
  isOpen: boolean;
}

function ran(acts: readonly Act[]): { readonly session: Session; readonly heard: number[] } {
  const { session, heard } = opened();
  for (const act of acts) act(session);
  return { session, heard };
}

function opened(): { readonly session: Session; readonly heard: number[] } {
  const session = new Session({ slices: [Mix, Entries, Seen] });
  const heard: number[] = [];
  session.dispatcher.subscribe<Mixed>('mixed', (event) => heard.push(event.value));
  return { session, heard };
}

function stateOf(scope: SessionScope): unknown {
  return [scope.slice(Mix).all(), scope.slice(Entries).all()];
}

function isOpen(tracked: Tracked | undefined): boolean {
  return !tracked || (tracked.isOpen && isOpen(tracked.parent));
}

function actsUnder(tracked: Tracked): readonly Act[] {
  return [...(tracked.parent ? actsUnder(tracked.parent) : []), ...tracked.acts];
}

test('[S1.transaction, S1.parallel] however transactions overlap, the session is as if only the committed ones had run, in the order of their commits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { session, heard } = opened();
      const tracked: Tracked[] = [];
      const committed: Act[] = [];
      const told: number[] = [];
      const pick = (index: number): Tracked | undefined => {
        const open = tracked.filter((candidate) => isOpen(candidate));
        return open[index % Math.max(1, open.length)];
      };
      const take = (given: Step): void => {
        if (given.kind === 'begin') {
          const parent = given.in === undefined ? undefined : pick(given.in);
          tracked.push({ transaction: (parent?.transaction ?? session).begin(), parent, acts: [], isOpen: true });
          return;
        }
        const chosen = pick(given.who);
        if (given.kind === 'act') {
          given.act(chosen?.transaction ?? session);
          (chosen?.acts ?? committed).push(given.act);
          if (given.event !== undefined) told.push(given.event);
          return;
        }
        if (!chosen) return;
        chosen.transaction[given.by]();
        chosen.isOpen = false;
        if (given.by === 'commit') (chosen.parent?.acts ?? committed).push(...chosen.acts);
      };
      for (const given of steps) {
        take(given);
        for (const open of tracked.filter((candidate) => isOpen(candidate))) {
          expect(stateOf(open.transaction)).toEqual(stateOf(ran([...committed, ...actsUnder(open)]).session));
        }
      }
      const expected = ran(committed);
      expect([stateOf(session), heard]).toEqual([stateOf(expected.session), expected.heard]);
      expect(session.slice(Seen).all()).toEqual(told);
    }),
    { numRuns: 300 },
  );
});
