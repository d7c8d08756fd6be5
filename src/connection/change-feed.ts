import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { ListName, ProtocolClient } from './protocol-client.ts';
import type { RequestOptions } from './protocol-request.ts';
import { delayBeforeAttempt } from './reconnect-policy.ts';

export interface ChangeFeedOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly requestOptions: RequestOptions;
  /** What may have changed unheard while no subscription was open. */
  readonly onGap: (list: ListName) => void;
}

interface Listening {
  readonly lists: readonly ListName[];
  /** Lists that may have changed since the last stream ended. */
  readonly gaps: readonly ListName[];
  readonly signal: AbortSignal;
}

// A server that closes its stream again and again is asked less and less often.
const MAX_BACKOFF_STEP = 7;

/** Keeps us told of changes: one subscription of the new era, opened again whenever it drops. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #uris = new Set<string>();
  #client: ProtocolClient | undefined;
  #stopped = new AbortController();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Follows a new conversation; the old one is over. */
  async start(client: ProtocolClient): Promise<void> {
    this.stop();
    this.#client = client;
    if (client.era === 'modern') this.#listen();
    else await Promise.all([...this.#uris].map((uri) => this.#tell(client, 'resources/subscribe', uri)));
  }

  stop(): void {
    this.#client = undefined;
    this.#stopped.abort();
    this.#stopped = new AbortController();
  }

  async follow(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    await this.#resubscribe('resources/subscribe', uri);
  }

  async unfollow(uri: string): Promise<void> {
    if (!this.#uris.delete(uri)) return;
    await this.#resubscribe('resources/unsubscribe', uri);
  }

  async #resubscribe(method: string, uri: string): Promise<void> {
    const client = this.#client;
    if (!client) return;
    if (client.era === 'modern') await this.start(client);
    else await this.#tell(client, method, uri);
  }

  /** In the older era each resource is subscribed by a request of its own. */
  async #tell(client: ProtocolClient, method: string, uri: string): Promise<void> {
    const request = { method, params: { uri }, parse: () => undefined };
    await client.request(request, this.#options.requestOptions).catch((error: unknown) => {
      this.#log('a resource could not be followed', error);
    });
  }

  #listen(): void {
    const client = this.#client;
    const { signal } = this.#stopped;
    if (client) void this.#listenUntilStopped(client, signal);
  }

  async #listenUntilStopped(client: ProtocolClient, signal: AbortSignal): Promise<void> {
    const lists = (['tools', 'resources', 'prompts'] as const).filter((list) => client.announces(list));
    if (lists.length === 0 && this.#uris.size === 0) return;
    for (let drops = 0; !signal.aborted && client.isOpen; drops += 1) {
      const gaps = drops === 0 ? [] : lists;
      await this.#listenOnce(client, { lists, gaps, signal }).catch((error: unknown) => {
        if (!signal.aborted) this.#log('changes cannot be followed just now', error);
      });
      const delayMs = delayBeforeAttempt(Math.min(drops + 2, MAX_BACKOFF_STEP), this.#options.random());
      await sleep(this.#options.clock, delayMs, signal).catch(() => undefined);
    }
  }

  async #listenOnce(client: ProtocolClient, wanted: Listening): Promise<void> {
    const { closed } = await client.listen({ lists: wanted.lists, uris: [...this.#uris] }, wanted.signal);
    // What changed while nobody listened was announced to nobody.
    for (const list of wanted.gaps) this.#options.onGap(list);
    await closed;
  }

  #log(message: string, error: unknown): void {
    this.#options.logger.log('debug', message, { reason: messageOf(error) });
  }
}
