import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestFailure } from './request-failure.ts';
import { mayResend, repeatableByAnnotation, waitBeforeResend } from './resend-policy.ts';
import type { Repeatable } from './resend-policy.ts';

const hint = fc.option(fc.boolean(), { nil: undefined });

test('a tool may run twice only if it is said to be harmless by a server that is trusted', () => {
  expect(repeatableByAnnotation({ readOnlyHint: true }, 'trusted')).toBe('repeatable');
  expect(repeatableByAnnotation({ idempotentHint: true }, 'trusted')).toBe('repeatable');
  expect(repeatableByAnnotation({ readOnlyHint: false, destructiveHint: false }, 'trusted')).toBe('once');
  expect(repeatableByAnnotation(undefined, 'trusted')).toBe('once');
});

test('what an untrusted server says about its tools never makes them repeatable', () => {
  fc.assert(
    fc.property(hint, hint, hint, hint, (readOnlyHint, destructiveHint, idempotentHint, openWorldHint) => {
      const given = Object.entries({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }).filter(
        ([, value]) => value !== undefined,
      );
      expect(repeatableByAnnotation(Object.fromEntries(given), 'untrusted')).toBe('once');
    }),
  );
});

const detail = 'x';
test.each<[string, RequestFailure, Repeatable[]]>([
  [
    'never written because the channel was closed',
    { kind: 'not-written', reason: 'closed', detail },
    ['once', 'repeatable'],
  ],
  [
    'never written because nobody was there',
    { kind: 'not-written', reason: 'unreachable', detail },
    ['once', 'repeatable'],
  ],
  ['never written because too many wait', { kind: 'not-written', reason: 'overloaded', detail }, []],
  ['refused with its session', { kind: 'session-expired', detail }, ['once', 'repeatable']],
  ['written and not answered', { kind: 'no-answer', detail }, ['repeatable']],
  ['too slow', { kind: 'timeout', afterMs: 1 }, []],
  ['cancelled', { kind: 'cancelled' }, []],
  ['answered with an error', { kind: 'rpc-error', error: { code: 1, message: 'x' } }, []],
  ['answered with too much', { kind: 'too-large', detail }, []],
  ['answered with nonsense', { kind: 'invalid-result', detail }, []],
  ['refused without a login', { kind: 'refused', status: 401, detail }, []],
  ['refused by something else', { kind: 'not-mcp', detail }, []],
  ['answered in another version', { kind: 'unsupported-version', detail }, []],
  ['a list that failed', { kind: 'list-failed', detail }, []],
])('a request that was %s is sent again only where that is safe', (_, failure, kinds) => {
  const all: readonly Repeatable[] = ['once', 'repeatable'];
  expect(all.filter((repeatable) => mayResend(failure, repeatable))).toEqual(kinds);
});

test.each<[string, RequestFailure, number | undefined]>([
  ['a time that is said', { kind: 'rate-limited', retryAfterMs: 5_000, detail: '' }, 5_000],
  ['no time at all', { kind: 'rate-limited', retryAfterMs: 0, detail: '' }, 0],
  ['the longest time', { kind: 'rate-limited', retryAfterMs: 30_000, detail: '' }, 30_000],
  ['a longer time', { kind: 'rate-limited', retryAfterMs: 30_001, detail: '' }, undefined],
  ['a time that is not said', { kind: 'rate-limited', detail: '' }, undefined],
  ['anything else', { kind: 'no-answer', detail: '' }, undefined],
])('a request that the server had no time for waits for %s', (_what, failure, waitMs) => {
  expect(waitBeforeResend(failure, 60_000)).toBe(waitMs);
});

test('a request does not wait longer than its caller would', () => {
  const failure: RequestFailure = { kind: 'rate-limited', retryAfterMs: 5_000, detail: '' };
  expect([waitBeforeResend(failure, 4_999), waitBeforeResend(failure, 5_000)]).toEqual([undefined, 5_000]);
});
