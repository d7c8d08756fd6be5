import { recoverResponseId } from './response-id.ts';
import type { RequestId } from './response-id.ts';

export type FrameEvent =
  | { readonly kind: 'line'; readonly text: string }
  /** A line over the limit was discarded; the request it answered, if its edges tell. */
  | { readonly kind: 'oversized'; readonly id?: RequestId }
  /** More than can be borne came without a line break; nothing is framed after it. */
  | { readonly kind: 'flood' };

export interface FramerLimits {
  readonly messageBytes: number;
  readonly floodBytes: number;
}

interface Edges {
  readonly head: Buffer;
  readonly tail: Buffer;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const EDGE_BYTES = 1024;
const INITIAL_CAPACITY = 4096;
const EMPTY = Buffer.alloc(0);

/** Cuts a stream of bytes into lines, holding at most one line of the allowed length. */
export class LineFramer {
  readonly #limits: FramerLimits;
  #held: Buffer = EMPTY;
  #lineBytes = 0;
  /** All that is kept of a line once it is too long. */
  #edges: Edges | undefined;
  #flooded = false;

  constructor(limits: FramerLimits) {
    this.#limits = limits;
  }

  push(chunk: Buffer): readonly FrameEvent[] {
    const events: FrameEvent[] = [];
    let start = this.#takeWholeLines(chunk, events);
    while (!this.#flooded) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#endLine(chunk.subarray(start, end), events);
      start = end + 1;
    }
    if (start < chunk.length && !this.#flooded) this.#hold(chunk.subarray(start), events);
    return events;
  }

  /** Lines that begin and end in one chunk are decoded in one go; gives where they end. */
  #takeWholeLines(chunk: Buffer, events: FrameEvent[]): number {
    const { messageBytes, floodBytes } = this.#limits;
    if (this.#lineBytes > 0 || this.#flooded || chunk.length > Math.min(messageBytes, floodBytes)) return 0;
    const end = chunk.lastIndexOf(NEWLINE);
    if (end <= 0) return 0;
    for (const line of chunk.toString('utf8', 0, end).split('\n')) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text !== '') events.push({ kind: 'line', text });
    }
    return end + 1;
  }

  /** The stream is over: what stands without a line break is the last line. */
  end(): readonly FrameEvent[] {
    const events: FrameEvent[] = [];
    if (this.#lineBytes > 0 && !this.#flooded) this.#endLine(EMPTY, events);
    return events;
  }

  #endLine(piece: Buffer, events: FrameEvent[]): void {
    if (this.#lineBytes === 0 && piece.length <= this.#limits.messageBytes && piece.length <= this.#limits.floodBytes) {
      pushLine(piece, events);
      return;
    }
    this.#hold(piece, events);
    if (this.#flooded) return;
    if (this.#edges) events.push(oversized(this.#edges));
    else pushLine(this.#held.subarray(0, this.#lineBytes), events);
    this.#reset();
  }

  #hold(piece: Buffer, events: FrameEvent[]): void {
    const held = this.#held.subarray(0, this.#lineBytes);
    this.#lineBytes += piece.length;
    if (this.#lineBytes > this.#limits.floodBytes) {
      this.#flooded = true;
      this.#reset();
      events.push({ kind: 'flood' });
      return;
    }
    if (this.#lineBytes > this.#limits.messageBytes) {
      this.#edges = extend(this.#edges ?? extend({ head: EMPTY, tail: EMPTY }, held), piece);
      this.#held = EMPTY;
      return;
    }
    this.#held = withRoom(this.#held, held.length, this.#lineBytes);
    piece.copy(this.#held, held.length);
  }

  #reset(): void {
    this.#lineBytes = 0;
    this.#edges = undefined;
    // A long line is rare; its memory must not stay for the life of the server.
    if (this.#held.length > INITIAL_CAPACITY) this.#held = EMPTY;
  }
}

function pushLine(bytes: Buffer, events: FrameEvent[]): void {
  const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  if (length > 0) events.push({ kind: 'line', text: bytes.toString('utf8', 0, length) });
}

function oversized(edges: Edges): FrameEvent {
  const id = recoverResponseId(edges.head.toString('utf8'), edges.tail.toString('utf8'));
  return { kind: 'oversized', ...(id !== undefined && { id }) };
}

function extend(edges: Edges, piece: Buffer): Edges {
  const { head, tail } = edges;
  const missing = EDGE_BYTES - head.length;
  return {
    head: missing > 0 ? Buffer.concat([head, piece.subarray(0, missing)]) : head,
    tail: Buffer.concat([tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES),
  };
}

/** Doubling keeps the copying linear, however small the pieces are. */
function withRoom(held: Buffer, used: number, needed: number): Buffer {
  if (needed <= held.length) return held;
  const grown = Buffer.allocUnsafe(Math.max(INITIAL_CAPACITY, held.length * 2, needed));
  held.copy(grown, 0, 0, used);
  return grown;
}
