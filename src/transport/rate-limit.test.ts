import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { parseRetryAfter, RateLimitedError, tellingRateLimits } from './rate-limit.ts';

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['', undefined],
  [null, undefined],
])('reads Retry-After: %s', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test('never gives a time in the past, whatever is read', () => {
  fc.assert(fc.property(fc.string(), (text) => (parseRetryAfter(text, NOW) ?? 0) >= 0));
});

test('tells of a refused request with the time to wait', async () => {
  const fetch = tellingRateLimits(answering(429, { 'retry-after': '60' }), new ManualClock(NOW));
  await expect(fetch('https://mcp.example', { method: 'POST' })).rejects.toMatchObject({
    name: 'RateLimitedError',
    retryAfterMs: 60_000,
    message: 'HTTP 429; the server asks to wait 60 s: busy',
  });
});

test('tells of a refused request without one', async () => {
  const error = await tellingRateLimits(answering(429), new ManualClock(NOW))('https://mcp.example', {
    method: 'POST',
  }).catch((thrown: unknown) => thrown);
  expect(error).toEqual(new RateLimitedError('busy', undefined));
});

test.each([
  [200, 'POST'],
  [503, 'POST'],
  [429, 'GET'],
])('passes on HTTP %i to a %s', async (status, method) => {
  const response = await tellingRateLimits(answering(status), new ManualClock(NOW))('https://mcp.example', { method });
  expect([response.status, await response.text()]).toEqual([status, 'busy']);
});

function answering(status: number, headers: Readonly<Record<string, string>> = {}): () => Promise<Response> {
  return async () => new Response('busy', { status, headers });
}
