import { expect, test } from 'vitest';
import type { ToolInvoked } from '../call/tool-invoked.ts';
import { Session } from './session.ts';
import { ToolCallLog } from './tool-call-log.ts';

function invoked(callId: string): ToolInvoked {
  return {
    type: 'tool-invoked',
    at: 1000,
    callId,
    sessionId: 'session',
    name: 'mcp__files__read',
    adapter: 'code',
    params: {},
    result: { success: true, outcome: 'ok', message: 'Success', content: [] },
    outcome: 'ok',
    source: 'mcp',
    durationMs: 5,
  };
}

test('[S1.transaction] a call is logged once, and stays logged when the transaction it was told in is rolled back', () => {
  const session = new Session({ slices: [ToolCallLog] });
  session.dispatch(invoked('direct'));
  const transaction = session.begin();
  transaction.dispatch(invoked('undone'));
  transaction.rollback();
  const kept = session.begin();
  kept.dispatch(invoked('done'));
  kept.commit();
  expect(session.slice(ToolCallLog).all()).toEqual([invoked('direct'), invoked('undone'), invoked('done')]);
});

test('the last 1,000 calls are kept', () => {
  const session = new Session({ slices: [ToolCallLog] });
  for (let call = 0; call < 1003; call += 1) session.dispatch(invoked(String(call)));
  const calls = session.slice(ToolCallLog).all();
  expect([calls.length, calls[0]?.callId, calls.at(-1)?.callId]).toEqual([1000, '3', '1002']);
});

test('a session that was not asked to keeps no calls', () => {
  const session = new Session();
  session.dispatch(invoked('before'));
  expect(session.slice(ToolCallLog).all()).toEqual([]);
});
