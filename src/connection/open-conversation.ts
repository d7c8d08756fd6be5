import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import type { CatalogKeeper } from './catalog-keeper.ts';
import type { EraMemory, EraVerdict } from './era-memory.ts';
import { learnFromFailure } from './era-policy.ts';
import { logIn } from './log-in.ts';
import { ProtocolClient } from './protocol-client.ts';
import { RequestError } from './request-failure.ts';
import type { ServerRequests } from './server-requests.ts';

export interface ConversationOptions {
  /** Opens a fresh channel, by the older HTTP transport if that was found to be the one. */
  readonly openTransport: (signal: AbortSignal, verdict: EraVerdict | undefined) => Promise<LiveTransport>;
  readonly isHttp: boolean;
  readonly eraMemory: EraMemory;
  readonly serverRequests: ServerRequests;
  readonly keeper: CatalogKeeper;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  readonly version: string;
  readonly connectTimeoutMs: number;
  readonly eraProbeMs: number;
  /** Which attempt this is; a server that starts slowly gets more time to answer at the next one. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly onTransport: (transport: LiveTransport) => void;
  readonly onResourceChanged: (uri: string) => void;
  readonly onClosed: (client: ProtocolClient) => void;
}

/** An attempt failed in a way that says how to do better at once. */
export class WiserError extends Error {
  readonly lesson: 'era' | 'login';

  constructor(lesson: WiserError['lesson'], cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'WiserError';
    this.lesson = lesson;
  }
}

const SLOW_START_FACTOR = 5;

/** One whole attempt: a fresh channel, the handshake, the list of tools. A failure leaves nothing open. */
export async function openConversation(options: ConversationOptions): Promise<ProtocolClient> {
  const { keeper, signal, eraMemory } = options;
  const verdict = eraMemory.recall();
  const transport = await options.openTransport(signal, verdict);
  options.onTransport(transport);
  try {
    const client = await shakeHands(options, transport, verdict);
    await keeper.load(client, signal).catch(rethrowAsListFailure);
    signal.throwIfAborted();
    const learned = client.isLateModern ? 'modern' : (client.era ?? 'legacy');
    eraMemory.note(verdict === 'legacy-sse' ? verdict : learned, 'proved');
    return client;
  } catch (error) {
    await transport.close();
    if (isRefusal(error) && (await logIn(transport, signal, options.scrubber))) throw new WiserError('login', error);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.failure.kind === 'refused';
}

async function shakeHands(
  options: ConversationOptions,
  transport: LiveTransport,
  verdict: EraVerdict | undefined,
): Promise<ProtocolClient> {
  try {
    return await ProtocolClient.open({
      ...options,
      transport,
      probeMs: options.eraProbeMs * (options.attempt > 1 || verdict === 'modern' ? SLOW_START_FACTOR : 1),
      era: verdict === undefined || verdict === 'modern' ? 'probe' : 'legacy',
      onListChanged: (list) => options.keeper.changed(list),
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { isHttp, eraMemory } = options;
    const lesson = learnFromFailure({ verdict, failure: error.failure, ending: transport.ending, isHttp });
    if (lesson === undefined) throw error;
    if (lesson === 'forget') eraMemory.forget();
    else eraMemory.note(lesson, 'guess');
    throw new WiserError('era', error);
  }
}

/** A server that answers but cannot list its tools has failed in its own way; a lost one has not. */
function rethrowAsListFailure(error: unknown): never {
  if (error instanceof RequestError && !['rpc-error', 'invalid-result', 'too-large'].includes(error.failure.kind))
    throw error;
  throw new RequestError({ kind: 'list-failed', detail: `tools/list failed: ${messageOf(error)}` }, error);
}
