/* oxlint-disable typescript/no-deprecated -- there are servers that speak nothing newer */
import type { SSEClientTransport } from '@modelcontextprotocol/client';
import type { SseTransport } from '../config/server-transport.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { LiveTransport, TransportContext, TransportEnding } from './live-transport.ts';

/** A channel to an endpoint of the older HTTP with Server-Sent Events transport. */
export async function openSseTransport(context: TransportContext, declared: SseTransport): Promise<LiveTransport> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new SSEClientTransport(new URL(declared.url), {
    fetch: boundedFetch(context.limits.messageBytes),
    requestInit: { headers: { ...declared.headers } },
  });
  let ending: TransportEnding | undefined;
  const closeChannel = transport.close.bind(transport);
  const close = async (): Promise<void> => {
    if (ending) return;
    ending = { kind: 'closed' };
    await closeChannel();
  };
  return Object.defineProperties(transport, {
    stderr: { value: '' },
    droppedMessages: { value: 0 },
    ending: { get: () => ending },
    close: { value: close },
  }) as SSEClientTransport & LiveTransport;
}
