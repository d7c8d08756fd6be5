import type { FetchLike } from '@modelcontextprotocol/client';
import { isEventStream } from './body-watch.ts';

/** A fetch that tells when the stream on which a server announces things is open again, and may have missed some. */
export function watchingNews(inner: FetchLike, serverUrl: string, onReopened: () => void): FetchLike {
  let wasOpen = false;
  return async (url, init) => {
    const response = await inner(url, init);
    if (String(url) !== serverUrl || init?.method === 'POST' || !response.ok || !isEventStream(response))
      return response;
    // A stream that is resumed from an event brings what came after it.
    if (new Headers(init?.headers).has('last-event-id')) return response;
    if (wasOpen) onReopened();
    wasOpen = true;
    return response;
  };
}
