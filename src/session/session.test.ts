import { expect, test } from 'vitest';
import { InProcessDispatcher } from './dispatcher.ts';
import { Session } from './session.ts';

test('a session is local, has an id of its own and a dispatcher of its own', () => {
  const [one, other] = [new Session(), new Session()];
  expect(one.principal).toBe('local');
  expect(one.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect([one.id === other.id, one.dispatcher === other.dispatcher]).toEqual([false, false]);
});

test('a session may be somebody’s, and share a dispatcher', () => {
  const dispatcher = new InProcessDispatcher();
  const session = new Session({ principal: 'ada', dispatcher });
  expect([session.principal, session.dispatcher]).toEqual(['ada', dispatcher]);
});
