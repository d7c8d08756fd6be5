import type { Transport } from '@modelcontextprotocol/client';
import type { ServerTransport } from '../config/server-transport.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Confinement, DeniedEgress } from '../isolation/confinement.ts';
import type { IsolationConfig } from '../isolation/isolation-config.ts';
import type { DirectCalls } from './direct-calls.ts';

/** One open channel to one server: the SDK's transport, and what the connection must know beyond it. Never reused. */
export interface LiveTransport extends Transport {
  /** The server's process, while there is one. */
  readonly pid?: number | undefined;
  /** What holds the server, if it is under isolation. */
  readonly confinement?: Confinement | undefined;
  /** The end of what the server wrote to stderr. */
  readonly stderr: string;
  /** Lines and messages that were no usable protocol messages, and were dropped. */
  readonly droppedMessages: number;
  /** The short way for calls, where there is one. */
  readonly direct?: DirectCalls | undefined;
  /** Lets the user log in, after the server has asked for it; false when there is nothing to log in to. */
  readonly login?: (signal: AbortSignal) => Promise<boolean>;
  /** Called when what the server announced may have been missed for a while. */
  onmissed?: (() => void) | undefined;
  /** Why the channel ended, once it has. */
  readonly ending: TransportEnding | undefined;
}

export type TransportEnding =
  | { readonly kind: 'closed' }
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: 'stdout-closed' }
  | { readonly kind: 'flooded'; readonly limitBytes: number }
  | { readonly kind: 'stalled'; readonly afterMs: number };

/** What every transport is opened with. */
export interface TransportContext {
  /** The server's name, for messages. */
  readonly server: string;
  /** How to reach it, secrets resolved. */
  readonly transport: ServerTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: TransportLimits;
  /** On whose behalf; tokens are never shared between principals. */
  readonly principal?: string;
  /** What a spawned server may touch. */
  readonly isolation?: IsolationConfig | undefined;
  /** A server tried to reach what its network policy does not allow. */
  readonly onDenied?: (denied: DeniedEgress) => void;
  /** False sends calls through the SDK's client like everything else. */
  readonly hasDirectCalls?: boolean;
  /** Takes a value that must not be seen in anything we write. */
  readonly hide?: (secret: string) => void;
}

/** Everything that comes from a server is bounded by these. */
export interface TransportLimits {
  /** A longer message is discarded and fails the one request it answers. */
  readonly messageBytes: number;
  /** A server that writes this much without a newline is ended. */
  readonly floodBytes: number;
  readonly stderrBytes: number;
  /** Bytes that may wait for a server that does not read. */
  readonly unsentBytes: number;
  /** How long a server may leave its input unread. */
  readonly writeStallMs: number;
  /** Patience after end of input, and again after SIGTERM. */
  readonly closeGraceMs: number;
}

export const DEFAULT_TRANSPORT_LIMITS: TransportLimits = {
  messageBytes: 10 * 1024 * 1024,
  floodBytes: 64 * 1024 * 1024,
  stderrBytes: 64 * 1024,
  unsentBytes: 16 * 1024 * 1024,
  writeStallMs: 30_000,
  closeGraceMs: 2_000,
};

/** A request that never left: sending it again, or elsewhere, is safe. */
export class NotWrittenError extends Error {
  readonly reason: 'closed' | 'overloaded' | 'unreachable';

  constructor(reason: NotWrittenError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'NotWrittenError';
    this.reason = reason;
  }
}

/** The `data` of an error response that the transport itself made for one request; a server cannot forge the class. */
export class WireFault {
  readonly kind: 'message-too-large' | 'invalid-message' | 'no-answer';
  readonly detail: string;

  constructor(kind: WireFault['kind'], detail: string) {
    this.kind = kind;
    this.detail = detail;
  }
}
