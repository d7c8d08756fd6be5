import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { Session } from './session.ts';
import type { SessionSnapshot } from './session-snapshot.ts';
import { defineSlice } from './slice.ts';

const Notes = defineSlice<string>({ name: 'notes', initial: ['first'] });
const Plan = defineSlice<unknown>({ name: 'plan' });
const Journal = defineSlice<string>({ name: 'journal', kind: 'log' });

function open(): Session {
  return new Session({ id: 'one', principal: 'ada', clock: new ManualClock(1000), slices: [Notes, Plan, Journal] });
}

function contents(session: Session): readonly (readonly unknown[])[] {
  return [Notes, Plan, Journal].map((slice) => session.slice(slice as typeof Plan).all());
}

test('a snapshot is plain data with the state, and with the logs only if asked for', () => {
  const session = open();
  session.slice(Plan).append({ step: 1 });
  session.slice(Journal).append('began');
  const snapshot = {
    version: 1,
    sessionId: 'one',
    principal: 'ada',
    at: 1000,
    slices: { notes: ['first'], plan: [{ step: 1 }] },
  };
  expect(session.snapshot()).toEqual(snapshot);
  expect(session.snapshot({ withLogs: true })).toEqual({
    ...snapshot,
    slices: { ...snapshot.slices, journal: ['began'] },
  });
});

test('a session goes back to its snapshot, through JSON too, and its logs stay', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.jsonValue()), fc.array(fc.string()), (notes, plan, later) => {
      const session = open();
      session.slice(Notes).replace(notes);
      session.slice(Plan).replace(plan);
      const text = JSON.stringify(session.snapshot());
      session.slice(Notes).extend(later);
      session.slice(Plan).clear();
      session.slice(Journal).extend(later);
      session.restore(JSON.parse(text) as SessionSnapshot);
      expect(contents(session)).toEqual([notes, JSON.parse(JSON.stringify(plan)), later]);
    }),
  );
});

test('logs go back too when they are not to be preserved', () => {
  const session = open();
  session.slice(Journal).append('before');
  const [withLogs, without] = [session.snapshot({ withLogs: true }), session.snapshot()];
  session.slice(Journal).append('after');
  session.restore(withLogs);
  expect(session.slice(Journal).all()).toEqual(['before', 'after']);
  expect(session.snapshot()).toEqual(without);
  session.restore(withLogs, { preserveLogs: false });
  expect(session.slice(Journal).all()).toEqual(['before']);
  session.restore(without, { preserveLogs: false });
  expect(session.slice(Journal).all()).toEqual([]);
});

test('a state slice that the snapshot lacks is emptied', () => {
  const session = open();
  session.restore({ version: 1, sessionId: 'x', principal: 'y', at: 0, slices: { plan: [1] } });
  expect(contents(session)).toEqual([[], [1], []]);
});

test('what is restored for a slice not used yet waits for it, and is in snapshots meanwhile', () => {
  const session = new Session();
  const slices = { notes: ['kept'], journal: ['old'], plan: [] };
  session.restore({ version: 1, sessionId: 'x', principal: 'y', at: 0, slices });
  expect(session.snapshot().slices).toEqual(slices);
  expect([session.slice(Notes).all(), session.slice(Journal).all()]).toEqual([['kept'], []]);
  expect(session.snapshot().slices).toEqual({ notes: ['kept'], plan: [] });
});

test('a log that waits is taken over when logs are not to be preserved', () => {
  const session = new Session();
  const snapshot: SessionSnapshot = { version: 1, sessionId: 'x', principal: 'y', at: 0, slices: { journal: ['old'] } };
  session.restore(snapshot, { preserveLogs: false });
  expect(session.slice(Journal).all()).toEqual(['old']);
});

test('slices of one name are told apart by the order in which they came', () => {
  const [one, other, third] = ['notes', 'notes', 'notes#2'].map((name) => defineSlice<string>({ name }));
  if (!one || !other || !third) throw new Error('three slices');
  const session = new Session({ slices: [one, other, third] });
  session.slice(one).append('one');
  session.slice(other).append('other');
  session.slice(third).append('third');
  const snapshot = session.snapshot();
  expect(snapshot.slices).toEqual({ notes: ['one'], 'notes#2': ['other'], 'notes#2#2': ['third'] });
  const restored = new Session({ slices: [one, other, third] });
  restored.restore(snapshot);
  expect(restored.snapshot().slices).toEqual(snapshot.slices);
});

test('a value that JSON cannot say makes the snapshot fail with its slice and its path', () => {
  const session = open();
  session.slice(Plan).extend([{ ok: true }, { steps: [{ due: new Date(0) }] }]);
  expect(() => session.snapshot()).toThrow(
    expect.objectContaining({
      code: 'SESSION_INVALID',
      message:
        "the slice 'plan' does not fit into a snapshot: /1/steps/0/due is an instance of Date, which JSON cannot say",
    }),
  );
});

test.each<[string, unknown]>([
  ['its version must be 1', { version: 2, slices: {} }],
  ['its version must be 1', null],
  ['it has no slices', { version: 1 }],
  ["its slice 'plan' is no list", { version: 1, slices: { notes: [], plan: {} } }],
])('what is no snapshot is refused and changes nothing: %s', (why, given) => {
  const session = open();
  expect(() => session.restore(given as SessionSnapshot)).toThrow(`this is no snapshot of a session: ${why}`);
  expect(contents(session)).toEqual([['first'], [], []]);
});

test('a reset puts the state back to what it began with, and the logs only if told so', () => {
  const session = open();
  const write = (): void => {
    session.slice(Notes).clear();
    session.slice(Plan).append(1);
    session.slice(Journal).append('began');
  };
  write();
  session.reset();
  expect(contents(session)).toEqual([['first'], [], ['began']]);
  write();
  session.reset({ preserveLogs: false });
  expect(contents(session)).toEqual([['first'], [], []]);
});

test('a clone has the same slices, and what happens to one is not seen in the other', () => {
  const session = open();
  const Noted = defineSlice<string>({ name: 'notes', reducers: { noted: () => ({ kind: 'append', item: 'noted' }) } });
  session.slice(Noted).append('mine');
  session.slice(Journal).append('began');
  const clone = session.clone({ id: 'two' });
  const heard: unknown[] = [];
  session.dispatcher.subscribe('noted', (event) => heard.push(event));
  clone.dispatch({ type: 'noted' });
  session.slice(Notes).append('later');
  expect(clone.snapshot({ withLogs: true })).toEqual({
    version: 1,
    sessionId: 'two',
    principal: 'ada',
    at: 1000,
    slices: { notes: ['first'], plan: [], journal: ['began'], 'notes#2': ['mine', 'noted'] },
  });
  expect([session.slice(Noted).all(), heard]).toEqual([['mine'], []]);
  expect([session.clone({ principal: 'bob' }).principal, session.clone().id === session.id]).toEqual(['bob', false]);
});
