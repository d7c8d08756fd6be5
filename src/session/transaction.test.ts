import { expect, test } from 'vitest';
import { Session } from './session.ts';
import type { SessionEvent } from './session-event.ts';
import { defineSlice } from './slice.ts';

interface Added extends SessionEvent {
  readonly type: 'added';
  readonly amount: number;
}

const Total = defineSlice<number>({
  name: 'total',
  initial: [0],
  reducers: { added: ([total = 0], event: Added) => ({ kind: 'replace', items: [total + event.amount] }) },
});
const Notes = defineSlice<string>({ name: 'notes' });
const Journal = defineSlice<number>({
  name: 'journal',
  kind: 'log',
  reducers: { added: (_, event: Added) => ({ kind: 'append', item: event.amount }) },
});

function added(amount: number): Added {
  return { type: 'added', amount };
}

function open(): { readonly session: Session; readonly heard: number[]; readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const session = new Session({
    id: 'one',
    principal: 'ada',
    slices: [Total, Notes, Journal],
    onError: (error) => errors.push(error),
  });
  const heard: number[] = [];
  session.dispatcher.subscribe<Added>('added', (event) => heard.push(event.amount));
  return { session, heard, errors };
}

test('[S1.transaction] what a transaction changes is seen in it at once, outside when it is committed', () => {
  const { session, heard } = open();
  const transaction = session.begin();
  transaction.dispatch(added(5));
  transaction.slice(Notes).append('five');
  expect([transaction.id, transaction.principal]).toEqual(['one', 'ada']);
  expect([transaction.slice(Total).all(), transaction.slice(Notes).all()]).toEqual([[5], ['five']]);
  expect([session.slice(Total).all(), session.slice(Notes).all(), heard]).toEqual([[0], [], []]);
  transaction.commit();
  expect([session.slice(Total).all(), session.slice(Notes).all(), heard]).toEqual([[5], ['five'], [5]]);
});

test('[S1.transaction] after a rollback the state is as before and nobody heard, but logs have kept what they were told', () => {
  const { session, heard } = open();
  const transaction = session.begin();
  transaction.dispatch(added(5));
  transaction.slice(Notes).append('five');
  transaction.slice(Journal).append(-1);
  expect(session.slice(Journal).all()).toEqual([5, -1]);
  transaction.rollback();
  expect([session.slice(Total).all(), session.slice(Notes).all(), heard]).toEqual([[0], [], []]);
  expect(session.slice(Journal).all()).toEqual([5, -1]);
});

test('[S1.parallel] a failing call does not undo what another has committed meanwhile', () => {
  const { session, heard } = open();
  const [failing, working] = [session.begin(), session.begin()];
  failing.dispatch(added(1));
  working.dispatch(added(10));
  working.slice(Notes).append('ten');
  expect([failing.slice(Total).all(), working.slice(Total).all()]).toEqual([[1], [10]]);
  working.commit();
  expect(failing.slice(Total).all()).toEqual([11]);
  failing.rollback();
  expect([session.slice(Total).all(), session.slice(Notes).all(), heard]).toEqual([[10], ['ten'], [10]]);
});

test('[S1.parallel] two calls that succeed both count, in the order of their commits', () => {
  const { session, heard } = open();
  const [first, second] = [session.begin(), session.begin()];
  first.dispatch(added(1));
  second.dispatch(added(10));
  second.commit();
  first.commit();
  expect([session.slice(Total).all(), session.slice(Journal).all(), heard]).toEqual([[11], [1, 10], [10, 1]]);
});

test('listeners of a commit see all of it, and may change the session', () => {
  const { session } = open();
  const seen: unknown[] = [];
  session.dispatcher.subscribe<Added>('added', ({ amount }) => {
    seen.push(session.slice(Notes).all());
    if (amount === 5) session.dispatch(added(100));
  });
  const transaction = session.begin();
  transaction.dispatch(added(5));
  transaction.slice(Notes).append('after');
  transaction.commit();
  expect([seen, session.slice(Total).all()]).toEqual([[['after'], ['after']], [105]]);
});

test('a second ending is ignored, whatever the first was', () => {
  const { session, heard } = open();
  const committed = session.begin();
  committed.dispatch(added(1));
  committed.commit();
  committed.commit();
  committed.rollback();
  const dropped = session.begin();
  dropped.dispatch(added(10));
  dropped.rollback();
  dropped.commit();
  expect([session.slice(Total).all(), heard]).toEqual([[1], [1]]);
});

test('nothing can be changed in a transaction that has ended, but what is committed can be read', () => {
  const { session } = open();
  const transaction = session.begin();
  const notes = transaction.slice(Notes);
  transaction.rollback();
  session.slice(Notes).append('later');
  const ended = expect.objectContaining({ code: 'SESSION_INVALID' });
  expect(() => transaction.dispatch(added(1))).toThrow(ended);
  expect(() => notes.append('late')).toThrow(ended);
  expect(() => transaction.slice(Journal).append(1)).toThrow(ended);
  expect(() => transaction.begin()).toThrow(ended);
  expect([notes.all(), session.slice(Journal).all()]).toEqual([['later'], []]);
});

test('[S1.transaction] a transaction in a transaction joins it at its commit, and its rollback drops only its own', () => {
  const { session, heard } = open();
  const outer = session.begin();
  outer.dispatch(added(1));
  const [joined, dropped] = [outer.begin(), outer.begin()];
  joined.dispatch(added(10));
  dropped.dispatch(added(100));
  expect([joined, dropped, outer].map((scope) => scope.slice(Total).all())).toEqual([[11], [101], [1]]);
  outer.slice(Notes).append('between');
  joined.commit();
  dropped.rollback();
  expect([outer.slice(Total).all(), session.slice(Total).all(), heard]).toEqual([[11], [0], []]);
  outer.commit();
  expect([session.slice(Total).all(), session.slice(Notes).all(), heard]).toEqual([[11], ['between'], [1, 10]]);
  expect(session.slice(Journal).all()).toEqual([1, 10, 100]);
});

test('what was committed inside a transaction that is rolled back is dropped with it', () => {
  const { session, heard } = open();
  const outer = session.begin();
  const inner = outer.begin();
  inner.dispatch(added(10));
  inner.commit();
  outer.rollback();
  expect([session.slice(Total).all(), heard]).toEqual([[0], []]);
});

test.each(['commit', 'rollback'] as const)('after a %s nothing of a transaction begun in it can be saved', (ending) => {
  const { session } = open();
  const outer = session.begin();
  const [inner, idle] = [outer.begin(), outer.begin()];
  inner.dispatch(added(10));
  outer[ending]();
  expect(() => inner.slice(Notes).append('late')).toThrow('the transaction has ended');
  expect(() => inner.commit()).toThrow('the transaction has ended');
  expect(() => idle.commit()).not.toThrow();
  expect(session.slice(Total).all()).toEqual([0]);
});

test('a list that was handed over may change before the commit without changing what was written', () => {
  const { session } = open();
  const transaction = session.begin();
  const notes = ['one'];
  transaction.slice(Notes).replace(notes);
  transaction.slice(Notes).extend(notes);
  notes.push('never written');
  transaction.commit();
  expect(session.slice(Notes).all()).toEqual(['one', 'one']);
});

test('a condition that throws is told to who wrote it, and is not committed', () => {
  const { session, errors } = open();
  session.slice(Notes).append('kept');
  const transaction = session.begin();
  const condition = (): boolean => {
    throw new Error('no condition');
  };
  expect(() => transaction.slice(Notes).clear(condition)).toThrow('no condition');
  expect(() => transaction.slice(Notes).upsert('new', condition)).toThrow('no condition');
  transaction.commit();
  expect([session.slice(Notes).all(), errors]).toEqual([['kept'], []]);
});

test('what fails only at the commit is reported once and skipped, and the rest is committed', () => {
  const { session, errors } = open();
  const transaction = session.begin();
  transaction.slice(Notes).clear((note) => {
    throw new Error(`cannot judge ${note}`);
  });
  transaction.dispatch(added(1));
  session.slice(Notes).append('later');
  expect(transaction.slice(Notes).all()).toEqual(['later']);
  transaction.commit();
  expect([session.slice(Notes).all(), session.slice(Total).all()]).toEqual([['later'], [1]]);
  expect(errors).toEqual([
    expect.objectContaining({
      message: "the slice 'notes' was left as it was: a 'clear' failed: cannot judge later",
    }),
  ]);
});

test('two slices of one name are two slices', () => {
  const session = new Session();
  const other = defineSlice<string>({ name: 'notes' });
  const transaction = session.begin();
  transaction.slice(Notes).append('one');
  transaction.slice(other).append('other');
  transaction.commit();
  expect([session.slice(Notes).all(), session.slice(other).all()]).toEqual([['one'], ['other']]);
});
