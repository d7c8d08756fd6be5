import { expect, test } from 'vitest';
import type { TransportEnding } from '../transport/live-transport.ts';
import { learnFromFailure } from './era-policy.ts';
import type { FailedAttempt } from './era-policy.ts';
import type { RequestFailure } from './request-failure.ts';

const exited: TransportEnding = { kind: 'exited', exitCode: 1, signal: null };
const probeFailed: RequestFailure = { kind: 'probe-failed', detail: 'x' };
const rpcError: RequestFailure = { kind: 'rpc-error', error: { code: -32_601, message: 'x' } };
const notMcp = (status: number): RequestFailure => ({ kind: 'not-mcp', detail: 'x', status });

test.each<[string, Partial<FailedAttempt>, ReturnType<typeof learnFromFailure>]>([
  ['a server that the probe killed is an old one', { failure: probeFailed, ending: exited }, 'legacy'],
  ['one that closed its output on it too', { failure: probeFailed, ending: { kind: 'stdout-closed' } }, 'legacy'],
  ['one that only did not answer may be anything', { failure: probeFailed }, undefined],
  [
    'one that was killed later teaches nothing',
    { failure: { kind: 'no-answer', detail: 'x' }, ending: exited },
    undefined,
  ],
  ['HTTP 400 may be an older endpoint', { failure: notMcp(400), isHttp: true }, 'legacy-sse'],
  ['so may 404', { failure: { kind: 'session-expired', detail: 'x', status: 404 }, isHttp: true }, 'legacy-sse'],
  ['so may 405', { failure: notMcp(405), isHttp: true }, 'legacy-sse'],
  ['406 is not', { failure: notMcp(406), isHttp: true }, undefined],
  ['a refusal is not', { failure: { kind: 'refused', status: 401, detail: 'x' }, isHttp: true }, undefined],
  ['nor is anything over stdio', { failure: notMcp(404), isHttp: false }, undefined],
  ['an older endpoint that fails is asked anew', { verdict: 'legacy-sse', failure: probeFailed }, 'forget'],
  ['a legacy server that refuses the handshake is asked anew', { verdict: 'legacy', failure: rpcError }, 'forget'],
  [
    'a legacy server that is only away stays one',
    { verdict: 'legacy', failure: probeFailed, ending: exited },
    undefined,
  ],
  ['a modern server that fails stays one', { verdict: 'modern', failure: rpcError }, undefined],
])('%s', (_name, attempt, lesson) => {
  const failed = { verdict: undefined, failure: probeFailed, ending: undefined, isHttp: false, ...attempt };
  expect(learnFromFailure(failed)).toBe(lesson);
});
