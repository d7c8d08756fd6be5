import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Inbox } from './inbox.ts';

const note = (progress: number) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/progress',
  params: { progress },
});
const answer = { jsonrpc: '2.0' as const, id: 1, result: {} };

test('an answer waits until the notifications before it were dealt with, in order', async () => {
  const seen: unknown[] = [];
  const inbox = new Inbox((message) => {
    // As the SDK does it.
    if ('id' in message) seen.push('answer');
    else if ('method' in message) void Promise.resolve().then(() => seen.push(message.params));
  });
  for (const message of [note(1), note(2), answer, note(3)]) inbox.deliver(message);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(seen).toEqual([{ progress: 1 }, { progress: 2 }, 'answer', { progress: 3 }]);
});

test('what waits when the channel ends is handed on at once', () => {
  const seen: unknown[] = [];
  const inbox = new Inbox((message) => void seen.push(message));
  inbox.deliver(note(1));
  inbox.deliver(answer);
  inbox.flush();
  expect(seen).toEqual([note(1), answer]);
});

test('answers alone are handed on at once', () => {
  const seen: unknown[] = [];
  const inbox = new Inbox((message) => void seen.push(message));
  inbox.deliver(answer);
  inbox.deliver(answer);
  expect(seen).toEqual([answer, answer]);
});

test('a notification that is done with already makes nothing wait', () => {
  const seen: unknown[] = [];
  const inbox = new Inbox((message) => {
    seen.push(message);
    return 'done';
  });
  inbox.deliver(note(1));
  inbox.deliver(answer);
  expect(seen).toEqual([note(1), answer]);
});
