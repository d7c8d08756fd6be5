import type { JsonObject } from '../call/tool-ref.ts';
import type { Progress } from '../call/progress.ts';
import type { Clock, Timer } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { RpcError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import type { DirectCalls, DirectWaiter } from '../transport/direct-calls.ts';
import { NotWrittenError } from '../transport/live-transport.ts';
import { foreignText, fromRpcError, safeCause } from './classify-failure.ts';
import type { ProtocolRequest, RequestOptions } from './protocol-request.ts';
import { RequestError } from './request-failure.ts';
import type { RequestFailure } from './request-failure.ts';

/** What a direct request needs of the conversation it is part of. */
export interface DirectContext {
  readonly calls: DirectCalls;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
}

/** One request past the SDK's client: sent, answered or given up on. Every failure is a RequestError. */
export class DirectRequest<Result> implements DirectWaiter {
  readonly answer: Promise<Result>;
  readonly #context: DirectContext;
  readonly #request: ProtocolRequest<Result>;
  readonly #options: RequestOptions;
  readonly #startedAt: number;
  #resolve!: (result: Result) => void;
  #reject!: (error: RequestError) => void;
  #id: number | undefined;
  #endsAt: number;
  #timer: Timer | undefined;

  constructor(context: DirectContext, request: ProtocolRequest<Result>, options: RequestOptions) {
    this.#context = context;
    this.#request = request;
    this.#options = options;
    this.#startedAt = context.clock.monotonic();
    this.#endsAt = this.#startedAt + Math.min(options.timeoutMs, options.maxTotalMs);
    this.answer = new Promise<Result>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#start();
  }

  answered(result: JsonObject): void {
    this.#finish();
    try {
      this.#resolve(this.#request.parse(result));
    } catch (error) {
      const detail = foreignText(
        `Invalid result for ${this.#request.method}: ${messageOf(error)}`,
        this.#context.scrubber,
      );
      this.#reject(new RequestError({ kind: 'invalid-result', detail }));
    }
  }

  refused(error: RpcError): void {
    this.#fail(fromRpcError(error, this.#context.scrubber));
  }

  failed(error: Error): void {
    const { scrubber } = this.#context;
    const detail = foreignText(error.message, scrubber);
    const failure: RequestFailure =
      error instanceof NotWrittenError
        ? { kind: 'not-written', reason: error.reason, detail }
        : { kind: 'no-answer', detail };
    this.#fail(failure, safeCause(error, scrubber));
  }

  /** The timeout begins again, the hard maximum does not. */
  progressed(progress: Progress): void {
    const { timeoutMs, maxTotalMs, onProgress } = this.#options;
    this.#endsAt = Math.min(this.#context.clock.monotonic() + timeoutMs, this.#startedAt + maxTotalMs);
    onProgress?.(progress);
  }

  /** The conversation ends, and the request with it. */
  close(): void {
    this.#giveUp({ kind: 'no-answer', detail: 'the connection was ended' });
  }

  #start(): void {
    const { signal } = this.#options;
    if (signal?.aborted) {
      this.#fail({ kind: 'cancelled' });
      return;
    }
    try {
      this.#id = this.#context.calls.start(this.#request.method, this.#request.params ?? {}, this);
    } catch (error) {
      const detail = `the arguments cannot be written as JSON: ${messageOf(error)}`;
      this.#fail({ kind: 'unsendable', detail });
      return;
    }
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#arm();
  }

  // The timer is not moved by progress: when it fires too early it waits for the rest.
  #arm(): void {
    const { clock } = this.#context;
    this.#timer = clock.after(Math.max(0, this.#endsAt - clock.monotonic()), () => {
      if (clock.monotonic() < this.#endsAt) this.#arm();
      else this.#giveUp({ kind: 'timeout', afterMs: this.#limitMs() });
    });
  }

  readonly #onAbort = (): void => this.#giveUp({ kind: 'cancelled' });

  #giveUp(failure: RequestFailure): void {
    if (this.#id === undefined) return;
    this.#context.calls.cancel(this.#id, failure.kind);
    this.#fail(failure);
  }

  #limitMs(): number {
    const { timeoutMs, maxTotalMs } = this.#options;
    return this.#endsAt >= this.#startedAt + maxTotalMs ? maxTotalMs : timeoutMs;
  }

  #fail(failure: RequestFailure, cause?: Error): void {
    this.#finish();
    this.#reject(new RequestError(failure, cause));
  }

  #finish(): void {
    this.#id = undefined;
    this.#timer?.cancel();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
