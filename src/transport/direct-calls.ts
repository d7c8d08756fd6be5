import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { RpcError } from '../errors.ts';

/** Who waits for the answer to one direct call; exactly one of `answered`, `refused` and `failed` is called. */
export interface DirectWaiter {
  answered(result: JsonObject): void;
  refused(error: RpcError): void;
  /** No answer will come; a NotWrittenError says that nothing was asked. */
  failed(error: Error): void;
  progressed(progress: Progress): void;
}

/** A call of a tool, without what the protocol adds to it. */
export interface DirectCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly meta?: JsonObject | undefined;
}

// Far from the ids that the SDK counts up from zero, and small enough for a server that keeps them in 32 bits.
const FIRST_ID = 1_000_000_000;
// A pipe takes no more at once; what waits longer must be seen to wait.
const MAX_BATCH_LENGTH = 65_536;

/**
 * Sends requests past the SDK's client, which spends most of a call's time on checks that ours repeat: many in one
 * write, each answer straight to who waits for it. Everything else on the channel stays the SDK's.
 */
export class DirectCalls {
  readonly #write: (lines: string) => Promise<void>;
  readonly #waiting = new Map<number, DirectWaiter>();
  /** What goes out in the next write, by id; what is not a request has none. */
  #outgoing: Outgoing[] = [];
  #outgoingLength = 0;
  readonly #names = new Map<string, string>();
  #lastId = FIRST_ID;

  constructor(write: (lines: string) => Promise<void>) {
    this.#write = write;
  }

  /** Sends a call soon; throws what JSON cannot say. */
  start(call: DirectCall, waiter: DirectWaiter): number {
    const id = this.#lastId + 1;
    // Put together as text: copying the call into a message of the protocol would cost more than writing it.
    const params = `{"name":${this.#nameText(call.name)},"arguments":${argumentsText(call)},"_meta":${metaText(id, call.meta)}}`;
    const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
    this.#lastId = id;
    this.#waiting.set(id, waiter);
    this.#queue({ id, text });
    return id;
  }

  /** A server has few names, and they are asked for again and again. */
  #nameText(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const text = JSON.stringify(name);
    this.#names.set(name, text);
    return text;
  }

  /** Whoever waited no longer does; the server is told, if it knows of the request. */
  cancel(id: number, reason: string): 'unwritten' | 'written' {
    this.#waiting.delete(id);
    const index = this.#outgoing.findIndex((line) => line.id === id);
    if (index !== -1) {
      this.#outgoing.splice(index, 1);
      return 'unwritten';
    }
    const params = { requestId: id, reason };
    this.#queue({ text: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }) });
    return 'written';
  }

  /** Whether a message was for one of ours. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message) return message.method === 'notifications/progress' && this.#takeProgress(message.params);
    const id = toId(message.id);
    const waiter = this.#waiting.get(id);
    if (!waiter) return false;
    this.#waiting.delete(id);
    if ('result' in message) waiter.answered(message.result);
    else waiter.refused(message.error);
    return true;
  }

  /** The channel is gone, and every answer with it; what was not written yet fails by an error of its own. */
  end(error: Error, unwritten: Error = error): void {
    const waiting = [...this.#waiting];
    const unsent = new Set(this.#outgoing.map(({ id }) => id));
    this.#waiting.clear();
    this.#outgoing = [];
    for (const [id, waiter] of waiting) {
      waiter.failed(unsent.has(id) ? unwritten : error);
    }
  }

  #takeProgress(params: JsonObject | undefined): boolean {
    const waiter = this.#waiting.get(toId(params?.['progressToken']));
    if (!waiter || typeof params?.['progress'] !== 'number') return false;
    const { progress, total, message } = params;
    waiter.progressed({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
    return true;
  }

  /** Calls that begin in one turn of the event loop go out in one write, unless that gets too large. */
  #queue(line: Outgoing): void {
    this.#outgoing.push(line);
    this.#outgoingLength += line.text.length;
    if (this.#outgoingLength > MAX_BATCH_LENGTH) this.#flush();
    else if (this.#outgoing.length === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const lines = this.#outgoing;
    if (lines.length === 0) return;
    this.#outgoing = [];
    this.#outgoingLength = 0;
    let text = '';
    // The text is not kept for the failure: an error that is kept keeps everything its makers could see.
    const ids: number[] = [];
    for (const line of lines) {
      text += `${line.text}\n`;
      if (line.id !== undefined) ids.push(line.id);
    }
    this.#write(text).catch((error: unknown) => {
      for (const id of ids) this.#fail(id, error instanceof Error ? error : new Error(String(error)));
    });
  }

  #fail(id: number, error: Error): void {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiter?.failed(error);
  }
}

function argumentsText({ arguments: args }: DirectCall): string {
  const text = JSON.stringify(args) as string | undefined;
  if (text === undefined) throw new TypeError('they write themselves as nothing');
  return text;
}

/** There are servers that keep ids as text. */
function toId(id: unknown): number {
  return typeof id === 'number' ? id : Number(id);
}

/** What goes beside the arguments: the token by which the server reports progress, and what the caller adds. */
function metaText(token: number, meta: JsonObject | undefined): string {
  let text = `{"progressToken":${token}`;
  if (!meta) return `${text}}`;
  for (const name of Object.keys(meta)) {
    // Said already; of two a server takes the last.
    if (name === 'progressToken') continue;
    const valueText = JSON.stringify(meta[name]) as string | undefined;
    if (valueText !== undefined) text += `,${JSON.stringify(name)}:${valueText}`;
  }
  return `${text}}`;
}

interface Outgoing {
  readonly id?: number;
  readonly text: string;
}
