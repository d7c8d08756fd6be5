import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestFailure } from './request-failure.ts';
import { mayResend, repeatableByAnnotation } from './resend-policy.ts';
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
