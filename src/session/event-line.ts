import type { Scrubber } from '../redaction.ts';
import { plainCopy, readableFields } from './plain-copy.ts';
import type { SessionEvent } from './session-event.ts';

// An event with a whole document in it must not push all the others out of the log.
const MAX_LINE_CHARACTERS = 256 * 1024;
const MAX_FIELD_CHARACTERS = 1000;
const MAX_FIELDS = 64;

/** One event as one line of JSON with its newline, secrets masked; whatever is in the event, this never throws. */
export function toEventLine(event: SessionEvent, at: number, scrubber: Scrubber): string {
  const line = toText(event, at, scrubber);
  return line.length <= MAX_LINE_CHARACTERS ? line : abridged(line);
}

function toText(event: SessionEvent, at: number, scrubber: Scrubber): string {
  try {
    return lineOf(scrubber.scrubValue(Object.assign({ type: event.type, at }, event)));
  } catch {
    // Cycles, numbers beyond JSON and getters that throw are rare, so that only they pay for the slower way.
    return lineOf(scrubber.scrubValue(plainCopy({ at, ...readableFields(event) })));
  }
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** What says which event it was; the parts that may be long are gone. */
function abridged(line: string): string {
  const fields = Object.entries(JSON.parse(line) as object).filter(([, value]) => typeof value !== 'object');
  const short = fields.map(([key, value]): [string, unknown] => [
    key.slice(0, MAX_FIELD_CHARACTERS),
    typeof value === 'string' ? value.slice(0, MAX_FIELD_CHARACTERS) : value,
  ]);
  return lineOf({ ...Object.fromEntries(short.slice(0, MAX_FIELDS)), abridged: true });
}
