import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { InProcessServer, MessageChannelEnd } from '../config/in-process-server.ts';
import { messageOf } from '../errors.ts';
import { NotWrittenError } from './live-transport.ts';
import type { LiveTransport, TransportEnding } from './live-transport.ts';

/** A channel to a server object in this process. */
export class InProcessTransport implements LiveTransport {
  readonly stderr = '';
  readonly droppedMessages = 0;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  ending: TransportEnding | undefined;
  readonly #server: InProcessServer;
  readonly #serverEnd: ServerEnd;

  constructor(server: InProcessServer) {
    this.#server = server;
    this.#serverEnd = new ServerEnd({
      deliver: (message) => this.onmessage?.(message),
      closed: () => this.#end(),
    });
  }

  async start(): Promise<void> {
    await this.#server.connect(this.#serverEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.ending) throw new NotWrittenError('closed', 'the in-process server is closed');
    this.#serverEnd.receive(copyOf(message));
  }

  async close(): Promise<void> {
    if (this.ending) return;
    this.#end();
    try {
      await this.#server.close();
    } catch (error) {
      // A server that cannot be closed is closed to us all the same.
      this.onerror?.(toError(error));
    }
  }

  #end(): void {
    if (this.ending) return;
    this.ending = { kind: 'closed' };
    try {
      this.#serverEnd.end();
    } catch (error) {
      this.onerror?.(toError(error));
    } finally {
      this.onclose?.();
    }
  }
}

/** The server's half of the channel; each message is delivered as a copy and after the sender has gone on, as by a socket. */
class ServerEnd implements MessageChannelEnd {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #client: { deliver(message: JSONRPCMessage): void; closed(): void };
  readonly #early: JSONRPCMessage[] = [];
  #started = false;
  #ended = false;

  constructor(client: { deliver(message: JSONRPCMessage): void; closed(): void }) {
    this.#client = client;
  }

  async start(): Promise<void> {
    this.#started = true;
    for (const message of this.#early.splice(0)) this.receive(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#ended) throw new Error('the client has closed the channel');
    const copy = copyOf(message);
    queueMicrotask(() => {
      if (!this.#ended) this.#client.deliver(copy);
    });
  }

  async close(): Promise<void> {
    this.#client.closed();
  }

  receive(message: JSONRPCMessage): void {
    if (!this.#started) {
      this.#early.push(message);
      return;
    }
    queueMicrotask(() => {
      if (this.#ended) return;
      try {
        this.onmessage?.(message);
      } catch (error) {
        // Thrown here it would end the whole process.
        this.onerror?.(toError(error));
      }
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose?.();
  }
}

/** Neither side may see what the other does to its objects afterwards. */
function copyOf(message: JSONRPCMessage): JSONRPCMessage {
  return JSON.parse(JSON.stringify(message)) as JSONRPCMessage;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
