import type { FetchLike } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { TransportContext } from './live-transport.ts';
import { tellingRateLimits } from './rate-limit.ts';
import { sharingRefreshes } from './refresh-sharing.ts';

/** Where a remote server is, and what it is to be told with every request. */
export interface RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What every request to a remote server, and to whoever logs us in there, goes through. */
export function remoteFetch(context: TransportContext, address: RemoteAddress): FetchLike {
  const bounded = boundedFetch(context.limits.messageBytes);
  const guarded = guardedFetch(withOwnHeaders(bounded, address), address.url);
  return sharingRefreshes(tellingRateLimits(guarded, context.clock), context.clock);
}

/** The declared headers are for the declared server alone: the SDK would send them to its login pages too. */
function withOwnHeaders(inner: FetchLike, address: RemoteAddress): FetchLike {
  const { origin } = new URL(address.url);
  return (url, init) => {
    if (new URL(url).origin !== origin) return inner(url, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(address.headers)) {
      // What the protocol needs to say comes first.
      if (!headers.has(name)) headers.set(name, value);
    }
    return inner(url, { ...init, headers });
  };
}
