import type * as SdkModule from '@modelcontextprotocol/client';
import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { Clock } from '../clock.ts';
import { McpError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import { stripHidden } from '../tools/hidden-characters.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { classifyFailure, foreignText, safeCause } from './classify-failure.ts';
import { RequestDeadline } from './request-deadline.ts';
import { RequestError } from './request-failure.ts';

type Sdk = typeof SdkModule;

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  /** Progress extends the timeout up to this. */
  readonly maxTotalMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** One request: a method, its params, and how its result is read. A parser throws on a result it cannot use. */
export interface ProtocolRequest<Result> {
  readonly method: string;
  readonly params?: JsonObject;
  readonly parse: (result: JsonObject) => Result;
}

export interface ProtocolClientOptions {
  readonly transport: LiveTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  readonly version: string;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onListChanged: (list: ListName) => void;
  readonly onClosed: (client: ProtocolClient) => void;
}

export type ListName = 'tools' | 'resources' | 'prompts';

// Our own deadline ends every request; the SDK's timer is only kept out of its way.
const NEVER_MS = 2_147_483_647;

/** One conversation with a server, from its handshake to its end; a reconnect begins a new one. */
export class ProtocolClient {
  readonly transport: LiveTransport;
  readonly #options: ProtocolClientOptions;
  readonly #sdk: Sdk;
  readonly #client: Client;
  #offeredVersion: string | undefined;
  #strayMessages = 0;
  #closed = false;

  private constructor(options: ProtocolClientOptions, sdk: Sdk) {
    this.#options = options;
    this.#sdk = sdk;
    this.transport = options.transport;
    this.#client = new sdk.Client({ name: 'fairlead', version: options.version });
  }

  /** Starts the transport and shakes hands; on failure the transport is closed. */
  static async open(options: ProtocolClientOptions): Promise<ProtocolClient> {
    const sdk = await import('@modelcontextprotocol/client');
    const client = new ProtocolClient(options, sdk);
    try {
      await client.#handshake();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get serverInfo(): ServerInfo | undefined {
    const info = this.#client.getServerVersion();
    return info && { name: stripHidden(info.name), version: stripHidden(info.version) };
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  /** Messages that were unreadable, or answered nothing that was asked. */
  get droppedMessages(): number {
    return this.transport.droppedMessages + this.#strayMessages;
  }

  get isOpen(): boolean {
    return !this.#closed && this.#client.transport !== undefined;
  }

  offers(list: ListName): boolean {
    return this.#client.getServerCapabilities()?.[list] !== undefined;
  }

  /** Sends one request; every failure is a RequestError. */
  async request<Result>(request: ProtocolRequest<Result>, options: RequestOptions): Promise<Result> {
    using deadline = new RequestDeadline({ clock: this.#options.clock, ...options });
    if (!this.isOpen) {
      throw new RequestError({ kind: 'not-written', reason: 'closed', detail: 'the connection is closed' });
    }
    try {
      return await this.#client.request(
        { method: request.method, ...(request.params && { params: request.params }) },
        schemaOf(request.parse),
        {
          signal: deadline.signal,
          timeout: NEVER_MS,
          onprogress: (progress) => {
            deadline.extend();
            options.onProgress?.(progress);
          },
        },
      );
    } catch (error) {
      throw this.#toRequestError(error, deadline);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.transport.close();
  }

  async #handshake(): Promise<void> {
    const { transport, connectTimeoutMs, clock, signal } = this.#options;
    this.#observe();
    using deadline = new RequestDeadline({ clock, timeoutMs: connectTimeoutMs, maxTotalMs: connectTimeoutMs, signal });
    try {
      await this.#client.connect(transport, { signal: deadline.signal, timeout: NEVER_MS });
    } catch (error) {
      if (error instanceof McpError) throw error;
      throw this.#versionError(error) ?? this.#toRequestError(error, deadline);
    }
  }

  /** Listens in on the transport and the client before they start. */
  #observe(): void {
    const { transport, onClosed, logger, scrubber, onListChanged } = this.#options;
    transport.onmessage = (message): void => {
      if (this.#offeredVersion !== undefined || !('result' in message)) return;
      const version = message.result['protocolVersion'];
      if (typeof version === 'string') this.#offeredVersion = version;
    };
    this.#client.onclose = (): void => onClosed(this);
    this.#client.onerror = (error): void => {
      this.#strayMessages += 1;
      logger.log('debug', 'protocol message dropped', { reason: foreignText(error.message, scrubber) });
    };
    for (const list of ['tools', 'resources', 'prompts'] as const) {
      this.#client.setNotificationHandler(`notifications/${list}/list_changed`, () => onListChanged(list));
    }
  }

  // The SDK reports this with a plain error; what the server offered tells it apart.
  #versionError(cause: unknown): RequestError | undefined {
    const offered = this.#offeredVersion;
    const supported = this.#sdk.SUPPORTED_PROTOCOL_VERSIONS;
    if (offered === undefined || supported.includes(offered)) return undefined;
    const detail = `the server speaks protocol version ${offered}; Fairlead speaks ${supported.join(', ')}`;
    return new RequestError({ kind: 'unsupported-version', detail }, safeCause(cause, this.#options.scrubber));
  }

  #toRequestError(thrown: unknown, deadline: RequestDeadline): RequestError {
    const { scrubber } = this.#options;
    if (deadline.endedBy === 'timeout') return new RequestError({ kind: 'timeout', afterMs: deadline.limitMs });
    if (deadline.endedBy === 'cancelled') return new RequestError({ kind: 'cancelled' });
    return new RequestError(classifyFailure(thrown, this.#sdk, scrubber), safeCause(thrown, scrubber));
  }
}

function schemaOf<Result>(parse: (result: JsonObject) => Result): StandardSchemaV1<unknown, Result> {
  return {
    '~standard': {
      version: 1,
      vendor: 'fairlead',
      validate: (value) => {
        try {
          return { value: parse(value as JsonObject) };
        } catch (error) {
          return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
        }
      },
    },
  };
}
