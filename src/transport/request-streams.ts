import { AsyncLocalStorage } from 'node:async_hooks';
import type { FetchLike, JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { isEventStream, watchingBody } from './body-watch.ts';
import { BodyTooLargeError } from './bounded-fetch.ts';
import { WireFault } from './live-transport.ts';
import type { RequestId } from './response-id.ts';
import { faultResponse } from './wire-message.ts';

export type Send = (message: JSONRPCMessage, options?: TransportSendOptions) => Promise<void>;

/** One request that waits for its answer. */
interface Exchange {
  readonly id: RequestId;
  readonly giveUp: AbortController;
  /** Whether everything came back that ever will, once the request is sent. */
  isWhole: boolean;
  endedBy: unknown;
  /** From where the stream can be resumed. */
  lastEventId: string | undefined;
}

const ENDED = 'the stream of the answer ended before the answer came';
const NOT_THERE = 'what the server sent back does not answer the request';

/** Ends a request at once when its answer can no longer come; the SDK would wait until the request times out. */
export class RequestStreams {
  readonly #sending = new AsyncLocalStorage<Exchange>();
  readonly #open = new Map<RequestId, Exchange>();
  readonly #deliver: (message: JSONRPCMessage) => void;

  constructor(deliver: (message: JSONRPCMessage) => void) {
    this.#deliver = deliver;
  }

  /** Sends a message and, if it is a request, sees to it that it ends. */
  async send(inner: Send, message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if ('method' in message && message.method === 'notifications/cancelled') {
      await inner(message, options).finally(() => this.#forget(message.params?.['requestId']));
      return;
    }
    // A subscription looks after its own stream.
    if (!('method' in message) || !('id' in message) || options.onRequestStreamEnd) {
      await inner(message, options);
      return;
    }
    const exchange = this.#begin(message.id);
    options.requestSignal?.addEventListener('abort', () => this.#forget(exchange.id), { once: true });
    try {
      await this.#sending.run(exchange, () => inner(message, this.#sendOptions(exchange, options)));
    } catch (error) {
      this.#open.delete(exchange.id);
      throw error;
    }
    if (exchange.isWhole) this.#fail(exchange, NOT_THERE);
  }

  /** Takes note of an answer. */
  received(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#open.delete(message.id);
  }

  /** Looks at what comes back for each request, and for each attempt to resume its stream. */
  watching(inner: FetchLike, serverUrl: string): FetchLike {
    return async (url, init) => {
      if (String(url) !== serverUrl) return inner(url, init);
      if (init?.method === 'POST') return this.#watchAnswer(await inner(url, init));
      const eventId = new Headers(init?.headers).get('last-event-id');
      const exchange = [...this.#open.values()].find(({ lastEventId }) => lastEventId === eventId);
      return eventId === null || !exchange ? inner(url, init) : this.#watchResumption(inner(url, init), exchange);
    };
  }

  #begin(id: RequestId): Exchange {
    const giveUp = new AbortController();
    const exchange = { id, giveUp, isWhole: false, endedBy: undefined, lastEventId: undefined };
    this.#open.set(id, exchange);
    return exchange;
  }

  #sendOptions(exchange: Exchange, options: TransportSendOptions): TransportSendOptions {
    const { requestSignal, onresumptiontoken } = options;
    const { signal } = exchange.giveUp;
    return {
      ...options,
      requestSignal: requestSignal ? AbortSignal.any([requestSignal, signal]) : signal,
      onRequestStreamEnd: () => this.#fail(exchange, ENDED),
      onresumptiontoken: (token) => {
        exchange.lastEventId = token;
        onresumptiontoken?.(token);
      },
    };
  }

  #watchAnswer(response: Response): Response {
    const exchange = this.#sending.getStore();
    if (!exchange || !response.ok) return response;
    exchange.isWhole = !isEventStream(response) && response.status !== 202;
    if (!isEventStream(response)) return response;
    return watchingBody(response, (error) => {
      exchange.endedBy = error;
    });
  }

  /** A stream is resumed once from where it broke; if that brings nothing new, the answer is lost. */
  async #watchResumption(answer: Promise<Response>, exchange: Exchange): Promise<Response> {
    const resumedFrom = exchange.lastEventId;
    const endIfNothingCame = (): void => {
      if (exchange.lastEventId === resumedFrom) this.#fail(exchange, ENDED);
    };
    try {
      const response = await answer;
      if (!response.ok) endIfNothingCame();
      // What came last is still on its way through the SDK when the body ends.
      return watchingBody(response, () => setImmediate(endIfNothingCame));
    } catch (error) {
      endIfNothingCame();
      throw error;
    }
  }

  #fail(exchange: Exchange, detail: string): void {
    if (!this.#open.delete(exchange.id)) return;
    exchange.giveUp.abort();
    const { endedBy } = exchange;
    const fault =
      endedBy instanceof BodyTooLargeError
        ? new WireFault('message-too-large', endedBy.message)
        : new WireFault('no-answer', detail);
    this.#deliver(faultResponse(exchange.id, fault));
  }

  /** Nobody waits any more: a stream that goes on would hold its connection. */
  #forget(id: unknown): void {
    const exchange = this.#open.get(id as RequestId);
    if (!exchange) return;
    this.#open.delete(exchange.id);
    exchange.giveUp.abort();
  }
}
