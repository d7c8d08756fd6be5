import type { JsonObject } from '../call/tool-ref.ts';
import type { Progress } from '../call/progress.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { RpcError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import type { DirectCall, DirectCalls, DirectWaiter } from '../transport/direct-calls.ts';
import { NotWrittenError } from '../transport/live-transport.ts';
import type { Dated, DeadlineSet } from './deadline-set.ts';
import { foreignText, fromRpcError, safeCause } from './classify-failure.ts';
import { tellSent } from './protocol-request.ts';
import type { ProtocolRequest, RequestOptions } from './protocol-request.ts';
import { RequestError } from './request-failure.ts';
import type { RequestFailure } from './request-failure.ts';

/** What a direct request needs of the conversation it is part of. */
export interface DirectContext {
  readonly calls: DirectCalls;
  readonly deadlines: DeadlineSet;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
}

/** One request past the SDK's client: sent, answered or given up on. Every failure is a RequestError. */
export class DirectRequest<Result> implements DirectWaiter, Dated {
  readonly answer: Promise<Result>;
  readonly #context: DirectContext;
  readonly #request: ProtocolRequest<Result>;
  readonly #options: RequestOptions;
  readonly #startedAt: number;
  #resolve!: (result: Result) => void;
  #reject!: (error: RequestError) => void;
  #id: number | undefined;
  #endsAt: number;
  #stopListening: (() => void) | undefined;

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

  get endsAt(): number {
    return this.#endsAt;
  }

  /** Its time is over. */
  expire(): void {
    const { timeoutMs, maxTotalMs } = this.#options;
    const isMaximum = this.#endsAt >= this.#startedAt + maxTotalMs;
    this.#giveUp({ kind: 'timeout', afterMs: isMaximum ? maxTotalMs : timeoutMs });
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
    try {
      onProgress?.(progress);
    } catch {
      // It is called from the stream that everybody's answers come by.
    }
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
      this.#id = this.#context.calls.start(callOf(this.#request), this);
    } catch (error) {
      const detail = `the arguments cannot be written as JSON: ${messageOf(error)}`;
      this.#fail({ kind: 'unsendable', detail });
      return;
    }
    if (signal) this.#stopListening = this.#listenTo(signal);
    this.#context.deadlines.add(this);
    tellSent(this.#options);
  }

  #listenTo(signal: AbortSignal): () => void {
    const onAbort = (): void => this.#giveUp({ kind: 'cancelled' });
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  }

  #giveUp(failure: RequestFailure): void {
    if (this.#id === undefined) return;
    const state = this.#context.calls.cancel(this.#id, failure.kind);
    this.#fail(state === 'unwritten' ? asUnsent(failure) : failure);
  }

  #fail(failure: RequestFailure, cause?: Error): void {
    this.#finish();
    this.#reject(new RequestError(failure, cause));
  }

  #finish(): void {
    this.#id = undefined;
    this.#context.deadlines.delete(this);
    this.#stopListening?.();
  }
}

/** What a failure is to a request of which nothing was written. */
function asUnsent(failure: RequestFailure): RequestFailure {
  if (failure.kind === 'cancelled') return { kind: 'cancelled', isUnsent: true };
  return failure.kind === 'no-answer' ? { kind: 'not-written', reason: 'closed', detail: failure.detail } : failure;
}

/** Only calls of tools go this way. */
function callOf({ params, meta }: ProtocolRequest<unknown>): DirectCall {
  const { name, arguments: args } = params as { readonly name: string; readonly arguments: JsonObject };
  return { name, arguments: args, meta };
}
