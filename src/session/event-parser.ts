import { LineSplitter } from './line-splitter.ts';
import type { SessionEvent } from './session-event.ts';

/** An event as it stands in a log; only its type is certain. */
export interface LoggedEvent extends SessionEvent {
  readonly [field: string]: unknown;
}

const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Makes events of the bytes of a log, and counts the lines that are none. */
export class EventParser {
  readonly #splitter = new LineSplitter(MAX_LINE_BYTES);
  readonly #onUnreadable: (lines: number) => void;
  #unreadable = 0;

  /** Told of each line that is no event, with how many there were so far. */
  constructor(onUnreadable: (lines: number) => void) {
    this.#onUnreadable = onUnreadable;
  }

  push(bytes: Buffer): readonly LoggedEvent[] {
    return this.#splitter.push(bytes).flatMap((line) => this.#parse(line));
  }

  /** What the last line tells, though nothing ended it. */
  end(): readonly LoggedEvent[] {
    return this.#parse(this.#splitter.end());
  }

  #parse(line: string | undefined): readonly LoggedEvent[] {
    // Two processes that repair the same torn line leave an empty one.
    if (line === '') return [];
    const event = line === undefined ? undefined : parseEvent(line);
    if (event) return [event];
    this.#unreadable += 1;
    this.#onUnreadable(this.#unreadable);
    return [];
  }
}

function parseEvent(line: string): LoggedEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    return 'type' in parsed && typeof parsed.type === 'string' ? (parsed as LoggedEvent) : undefined;
  } catch {
    return undefined;
  }
}
