import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Logger } from '../logger.ts';
import { LineFramer } from './line-framer.ts';
import type { FrameEvent } from './line-framer.ts';
import { WireFault } from './live-transport.ts';
import type { TransportLimits } from './live-transport.ts';
import type { RequestId } from './response-id.ts';
import { faultResponse, parseLine } from './wire-message.ts';

export interface MessageReaderOptions {
  readonly limits: TransportLimits;
  readonly logger: Logger;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** The server has written more than can be borne without a line break; nothing is read after it. */
  readonly onFlood: () => void;
}

/** Turns the bytes of a server's output into messages; what is no message is counted, what spoils one answer fails that one. */
export class MessageReader {
  readonly #options: MessageReaderOptions;
  readonly #framer: LineFramer;
  #droppedMessages = 0;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
    this.#framer = new LineFramer(options.limits);
  }

  get droppedMessages(): number {
    return this.#droppedMessages;
  }

  push(chunk: Buffer): void {
    for (const event of this.#framer.push(chunk)) this.#receive(event);
  }

  end(): void {
    for (const event of this.#framer.end()) this.#receive(event);
  }

  #receive(event: FrameEvent): void {
    switch (event.kind) {
      case 'line':
        this.#read(event.text);
        break;
      case 'oversized': {
        const detail = `the server's answer is over ${this.#options.limits.messageBytes} bytes`;
        this.#fail(event.id, new WireFault('message-too-large', detail));
        break;
      }
      case 'flood':
        this.#options.onFlood();
        break;
    }
  }

  #read(line: string): void {
    for (const event of parseLine(line)) {
      switch (event.kind) {
        case 'message':
          this.#options.onMessage(event.message);
          break;
        case 'fault':
          this.#fail(event.id, event.fault);
          break;
        case 'dropped':
          this.#drop(event.reason);
          break;
        case 'noise':
          this.#drop('no JSON');
          break;
      }
    }
  }

  #fail(id: RequestId | undefined, fault: WireFault): void {
    if (id === undefined) this.#drop(fault.detail);
    else this.#options.onMessage(faultResponse(id, fault));
  }

  // Stdout belongs to the protocol, but many servers log there: once is worth a warning, each time is not.
  #drop(reason: string): void {
    this.#droppedMessages += 1;
    const level = this.#droppedMessages === 1 ? 'warn' : 'trace';
    this.#options.logger.log(level, 'the server wrote something to stdout that is no message', { reason });
  }
}
