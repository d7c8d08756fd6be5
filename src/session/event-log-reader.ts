import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { sleep, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { EventParser } from './event-parser.ts';
import type { LoggedEvent } from './event-parser.ts';

/** Something that a log should have told and does not. */
export type EventGap =
  /** Lines that are no events; how many there were so far. */
  | { readonly kind: 'unreadable'; readonly lines: number }
  /** The file that was followed is gone, or a second one came and went since the last look. */
  | { readonly kind: 'rotated' };

export interface ReadEventsOptions {
  /** Waits for more at the end, also for a file that is not there yet, until the signal aborts. */
  readonly follow?: boolean;
  /** Ends the reading, without an error. */
  readonly signal?: AbortSignal;
  readonly onGap?: (gap: EventGap) => void;
  /** Told whenever all that is there has been given. */
  readonly onCaughtUp?: () => void;
  readonly clock?: Clock;
  /** How often to look for more. */
  readonly pollMs?: number;
}

interface Reading extends ReadEventsOptions {
  readonly file: string;
  readonly parser: EventParser;
}

const CHUNK_BYTES = 64 * 1024;

/** The events of a log, oldest first, beginning with those in `<file>.1`; a file that is not there has none. */
export async function* readEvents(file: string, options: ReadEventsOptions = {}): AsyncGenerator<LoggedEvent, void> {
  const parser = new EventParser((lines) => options.onGap?.({ kind: 'unreadable', lines }));
  const reading: Reading = { ...options, file, parser };
  yield* readFile(reading, 'with-earlier');
  while (options.follow && !options.signal?.aborted) yield* readFile(reading);
}

/** One file to its end or, when following, until another stands in its place. */
async function* readFile(reading: Reading, first?: 'with-earlier'): AsyncGenerator<LoggedEvent, void> {
  const { file, follow, signal, parser } = reading;
  const handle = await openIfThere(file);
  if (!handle) {
    if (first) yield* readEarlier(undefined, reading);
    reading.onCaughtUp?.();
    if (follow) await nextLook(reading);
    return;
  }
  try {
    // It is open already, so that it cannot become the earlier one unseen.
    if (first) yield* readEarlier(handle, reading);
    yield* readOn(handle, reading);
    if (follow) yield* followFile(handle, reading);
    if (signal?.aborted) return;
    yield* parser.end();
    if (!follow) reading.onCaughtUp?.();
    if (follow && !(await isSameFile(handle, `${file}.1`))) reading.onGap?.({ kind: 'rotated' });
  } finally {
    await handle.close();
  }
}

/** The file that was rotated away, unless it is the current one, rotated just now. */
async function* readEarlier(current: FileHandle | undefined, reading: Reading): AsyncGenerator<LoggedEvent, void> {
  const earlier = `${reading.file}.1`;
  const handle = await openIfThere(earlier);
  if (!handle) return;
  try {
    if (current && (await isSameFile(current, earlier))) return;
    yield* readOn(handle, reading);
    if (!reading.signal?.aborted) yield* reading.parser.end();
  } finally {
    await handle.close();
  }
}

async function* followFile(handle: FileHandle, reading: Reading): AsyncGenerator<LoggedEvent, void> {
  let isCurrent = true;
  while (isCurrent && !reading.signal?.aborted) {
    // Before the wait, so that who had the file open when it was moved gets the time to finish.
    isCurrent = await isSameFile(handle, reading.file);
    reading.onCaughtUp?.();
    await nextLook(reading);
    yield* readOn(handle, reading);
  }
}

/** Reads from where the handle stands to the end of its file. */
async function* readOn(handle: FileHandle, { parser, signal }: Reading): AsyncGenerator<LoggedEvent, void> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  while (!signal?.aborted) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    for (const event of parser.push(buffer.subarray(0, bytesRead))) {
      yield event;
      if (signal?.aborted) return;
    }
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isSameFile(handle: FileHandle, file: string): Promise<boolean> {
  const [held, named] = await Promise.all([handle.stat(), stat(file).catch(() => undefined)]);
  return named !== undefined && held.ino === named.ino && held.dev === named.dev;
}

async function nextLook({ clock = systemClock, pollMs = 200, signal }: Reading): Promise<void> {
  // An abort ends the wait, and then the loop that waits.
  await sleep(clock, pollMs, signal).catch(() => undefined);
}
