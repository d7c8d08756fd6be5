import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HttpTransport } from '../config/server-transport.ts';
import { sleep } from '../clock.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { LiveTransport, TransportContext, TransportEnding } from './live-transport.ts';

/** A channel to a Streamable HTTP endpoint: the SDK's transport with bounded bodies and a session that is ended. */
export async function openHttpTransport(context: TransportContext, declared: HttpTransport): Promise<LiveTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(declared.url), {
    fetch: boundedFetch(context.limits.messageBytes),
    requestInit: { headers: { ...declared.headers } },
  });
  let ending: TransportEnding | undefined;
  const closeChannel = transport.close.bind(transport);
  const close = async (): Promise<void> => {
    if (ending) return;
    ending = { kind: 'closed' };
    await endSession(transport, context);
    await closeChannel();
  };
  return Object.defineProperties(transport, {
    stderr: { value: '' },
    droppedMessages: { value: 0 },
    ending: { get: () => ending },
    close: { value: close },
  }) as StreamableHTTPClientTransport & LiveTransport;
}

/** Tells the server that the session is over; a server that does not answer is not waited for long. */
async function endSession(transport: StreamableHTTPClientTransport, context: TransportContext): Promise<void> {
  if (transport.sessionId === undefined) return;
  const giveUp = new AbortController();
  await Promise.race([
    transport.terminateSession().catch(() => undefined),
    sleep(context.clock, context.limits.closeGraceMs, giveUp.signal).catch(() => undefined),
  ]);
  giveUp.abort();
}
