import type { Writable } from 'node:stream';
import type { Clock, Timer } from '../clock.ts';
import { NotWrittenError } from './live-transport.ts';

export interface InputWriterOptions {
  readonly stream: Writable;
  readonly clock: Clock;
  readonly unsentBytes: number;
  readonly writeStallMs: number;
  /** The server has left its input unread for too long. */
  readonly onStalled: () => void;
  /** The server has closed its input. */
  readonly onBroken: () => void;
}

/** Writes to a server's input, refusing rather than queueing without bound. */
export class InputWriter {
  readonly #options: InputWriterOptions;
  #stall: Timer | undefined;

  constructor(options: InputWriterOptions) {
    this.#options = options;
    // A pipe that breaks is reported here and must not end our own process.
    options.stream.on('error', () => {
      this.stop();
      options.onBroken();
    });
  }

  /** Resolves when the bytes have left; a NotWrittenError says that none of them was handed over. */
  write(line: string): Promise<void> {
    const { stream, unsentBytes } = this.#options;
    if (!stream.writable) return Promise.reject(new NotWrittenError('closed', 'the input of the server is closed'));
    const bytes = Buffer.from(line, 'utf8');
    const waiting = stream.writableLength;
    if (waiting > 0 && waiting + bytes.length > unsentBytes) {
      const message = `the server has left ${waiting} bytes of its input unread`;
      return Promise.reject(new NotWrittenError('overloaded', message));
    }
    return new Promise((resolve, reject) => {
      stream.write(bytes, (error) => {
        this.#watchForStall();
        if (error)
          reject(new Error('the input of the server broke while a message was being written', { cause: error }));
        else resolve();
      });
      // A pipe with room takes everything at once, and needs no watching.
      if (this.#stall === undefined) this.#watchForStall();
    });
  }

  stop(): void {
    this.#stall?.cancel();
    this.#stall = undefined;
  }

  /** Every write that completes gives the ones behind it the full time again. */
  #watchForStall(): void {
    this.stop();
    const { stream, clock, writeStallMs, onStalled } = this.#options;
    if (stream.writableLength === 0 || stream.destroyed) return;
    this.#stall = clock.after(writeStallMs, () => {
      this.#stall = undefined;
      onStalled();
    });
  }
}
