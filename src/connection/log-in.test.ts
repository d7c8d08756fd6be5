import { expect, test } from 'vitest';
import { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { logIn } from './log-in.ts';

const { signal } = new AbortController();

test.each([
  ['nobody can', {}, false],
  ['there is nothing to log in to', { login: async () => false }, false],
  ['somebody did', { login: async () => true }, true],
])('tells whether it is worth another try when %s', async (_what, transport, isWorthIt) => {
  expect(await logIn(transport as LiveTransport, signal, new Scrubber())).toBe(isWorthIt);
});

test('a login that fails is a refusal, without secrets', async () => {
  const scrubber = new Scrubber();
  scrubber.add('s3cr3t-value');
  const login = (): Promise<boolean> => Promise.reject(new Error('s3cr3t-value was not taken'));
  await expect(logIn({ login } as unknown as LiveTransport, signal, scrubber)).rejects.toMatchObject({
    name: 'RequestError',
    failure: { kind: 'refused', status: 401, detail: 'the login failed: *** was not taken' },
  });
});

test('a login that was given up ends as it was given up', async () => {
  const reason = new Error('enough');
  const login = (): Promise<boolean> => Promise.reject(new Error('aborted'));
  await expect(logIn({ login } as unknown as LiveTransport, AbortSignal.abort(reason), new Scrubber())).rejects.toBe(
    reason,
  );
});
