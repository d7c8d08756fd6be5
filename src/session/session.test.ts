import { expect, test } from 'vitest';
import { McpError } from '../errors.ts';
import { InProcessDispatcher, InProcessEventBus } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import { Session } from './session.ts';
import type { SessionEvent } from './session-event.ts';
import { defineSlice } from './slice.ts';

interface Noted extends SessionEvent {
  readonly type: 'noted';
  readonly text: string;
}

const Notes = defineSlice<string>({
  name: 'notes',
  reducers: { noted: (_, event: Noted) => ({ kind: 'append', item: event.text }) },
});

function noted(text: string): Noted {
  return { type: 'noted', text };
}

test('a session is local, has an id of its own and a dispatcher of its own', () => {
  const [one, other] = [new Session(), new Session()];
  expect([one.principal, one.tags]).toEqual(['local', {}]);
  expect(one.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect([one.id === other.id, one.dispatcher === other.dispatcher]).toEqual([false, false]);
});

test('a session may be somebody’s, have a given id and tags, and share a dispatcher', () => {
  const dispatcher = new InProcessDispatcher();
  const session = new Session({ id: 'one', principal: 'ada', tags: { run: '7' }, dispatcher });
  expect([session.id, session.principal, session.tags, session.dispatcher]).toEqual([
    'one',
    'ada',
    { run: '7' },
    dispatcher,
  ]);
});

test('the dispatcher may be called a bus, as the design documents do', () => {
  const bus = new InProcessEventBus();
  expect(new Session({ bus }).dispatcher).toBe(bus);
});

test('an event is reduced into the slices that listen, before the listeners hear of it', () => {
  const session = new Session({ slices: [Notes] });
  const heard: unknown[] = [];
  session.dispatcher.subscribe<Noted>('noted', (event) => heard.push([event, session.slice(Notes).all()]));
  session.dispatch(noted('one'));
  session.dispatch({ type: 'forgotten' });
  expect([heard, session.slice(Notes).all()]).toEqual([[[noted('one'), ['one']]], ['one']]);
});

test('an event is recorded once, and only in the session it was dispatched in', () => {
  const dispatcher = new InProcessDispatcher();
  const [one, other] = [new Session({ dispatcher, slices: [Notes] }), new Session({ dispatcher, slices: [Notes] })];
  let heard = 0;
  dispatcher.subscribe('noted', () => {
    heard += 1;
  });
  one.dispatch(noted('mine'));
  expect([one.slice(Notes).all(), other.slice(Notes).all(), heard]).toEqual([['mine'], [], 1]);
});

test('a slice that is first used later begins there', () => {
  const session = new Session();
  session.dispatch(noted('early'));
  const notes = session.slice(Notes);
  session.dispatch(noted('late'));
  expect(notes.all()).toEqual(['late']);
});

test('a slice can be read and written directly', () => {
  const notes = new Session().slice(defineSlice<string>({ name: 'notes', initial: ['first'] }));
  notes.append('second');
  notes.extend(['third', 'fourth']);
  notes.upsert('SECOND', (item) => item.toUpperCase() === 'SECOND');
  notes.clear((item) => item === 'third');
  expect([notes.all(), notes.latest(), notes.where((item) => item.startsWith('f'))]).toEqual([
    ['first', 'SECOND', 'fourth'],
    'fourth',
    ['first', 'fourth'],
  ]);
  notes.replace(['only']);
  expect(notes.all()).toEqual(['only']);
  notes.clear();
  expect([notes.all(), notes.latest()]).toEqual([[], undefined]);
});

test('a reducer that throws is reported and skipped, and the other slices change', () => {
  const errors: unknown[] = [];
  const cause = new Error('broken');
  const Broken = defineSlice<string>({
    name: 'broken',
    initial: ['kept'],
    reducers: {
      noted: () => {
        throw cause;
      },
    },
  });
  const session = new Session({ slices: [Broken, Notes], onError: (error) => errors.push(error) });
  session.dispatch(noted('one'));
  expect([session.slice(Broken).all(), session.slice(Notes).all()]).toEqual([['kept'], ['one']]);
  expect(errors).toEqual([
    new McpError('SESSION_INVALID', "the slice 'broken' was left as it was: its reducer of 'noted' failed: broken", {
      cause,
    }),
  ]);
});

test('a listener that throws is reported, and who hears of failures cannot cause one', () => {
  const errors: unknown[] = [];
  const session = new Session({
    onError: (error) => {
      errors.push(error);
      throw new Error('broken too');
    },
  });
  const broken = new Error('broken');
  session.dispatcher.subscribe('noted', () => {
    throw broken;
  });
  session.dispatch(noted('one'));
  expect(errors).toEqual([broken]);
});

test('a condition that throws is told to who wrote it, and changes nothing', () => {
  const notes = new Session().slice(Notes);
  notes.append('kept');
  const condition = (): boolean => {
    throw new Error('no condition');
  };
  expect(() => notes.clear(condition)).toThrow('no condition');
  expect(() => notes.upsert('new', condition)).toThrow('no condition');
  expect(notes.all()).toEqual(['kept']);
});

test('an event whose type every object inherits is an event like any other', () => {
  const session = new Session({ slices: [Notes] });
  session.dispatch({ type: 'constructor' });
  const transaction = session.begin();
  transaction.dispatch({ type: 'toString' });
  expect(transaction.slice(Notes).all()).toEqual([]);
});

test('a dispatcher that fails is reported, and takes neither an event nor a commit with it', () => {
  const errors: unknown[] = [];
  const down = new Error('the bus is down');
  const dispatcher: Dispatcher = {
    dispatch: () => {
      throw down;
    },
    subscribe: () => () => undefined,
  };
  const session = new Session({ dispatcher, onError: (error) => errors.push(error) });
  const seen = defineSlice<string>({ name: 'seen', reducers: { ping: () => ({ kind: 'append', item: 'ping' }) } });
  session.slice(seen);
  session.dispatch({ type: 'ping' });
  const transaction = session.begin();
  transaction.dispatch({ type: 'ping' });
  transaction.dispatch({ type: 'ping' });
  transaction.commit();
  expect([session.slice(seen).all(), errors]).toEqual([
    ['ping', 'ping', 'ping'],
    [down, down, down],
  ]);
});
