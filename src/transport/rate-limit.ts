import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../clock.ts';

/** The server has too much to do just now, and has not carried the request out. */
export class RateLimitedError extends Error {
  /** How long it asks to be left alone, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(body: string, retryAfterMs: number | undefined) {
    const wait = retryAfterMs === undefined ? '' : `; the server asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    super(`HTTP 429${wait}${body === '' ? '' : `: ${body}`}`);
    this.name = 'RateLimitedError';
    this.retryAfterMs = retryAfterMs;
  }
}

const TOO_MANY_REQUESTS = 429;

/** A fetch that says how long to wait; the SDK's own error for a refused request has lost the header. */
export function tellingRateLimits(inner: FetchLike, clock: Clock): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init);
    if (init?.method !== 'POST' || response.status !== TOO_MANY_REQUESTS) return response;
    const body = await response.text().catch(() => '');
    throw new RateLimitedError(body, parseRetryAfter(response.headers.get('retry-after'), clock.now()));
  };
}

/** A `Retry-After` header, which holds seconds or a date, as the time from now. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Only a date with a name of a month is one by the rules of HTTP; the parser would take any number for one.
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
