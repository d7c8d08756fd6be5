import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import type { CatalogKeeper } from './catalog-keeper.ts';
import { messageOf } from '../errors.ts';
import { ProtocolClient } from './protocol-client.ts';
import { RequestError } from './request-failure.ts';

export interface ConversationOptions {
  readonly openTransport: (signal: AbortSignal) => Promise<LiveTransport>;
  readonly keeper: CatalogKeeper;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  readonly version: string;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onTransport: (transport: LiveTransport) => void;
  readonly onClosed: (client: ProtocolClient) => void;
}

/** One whole attempt: a fresh channel, the handshake, the list of tools. A failure leaves nothing open. */
export async function openConversation(options: ConversationOptions): Promise<ProtocolClient> {
  const { keeper, signal } = options;
  const transport = await options.openTransport(signal);
  options.onTransport(transport);
  const client = await ProtocolClient.open({
    ...options,
    transport,
    onListChanged: (list) => keeper.changed(list),
  });
  try {
    await keeper.load(client, signal).catch(rethrowAsListFailure);
    signal.throwIfAborted();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** A server that answers but cannot list its tools has failed in its own way; a lost one has not. */
function rethrowAsListFailure(error: unknown): never {
  if (error instanceof RequestError && !['rpc-error', 'invalid-result', 'too-large'].includes(error.failure.kind))
    throw error;
  throw new RequestError({ kind: 'list-failed', detail: `tools/list failed: ${messageOf(error)}` }, error);
}
