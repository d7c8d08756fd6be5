import type { Place } from './canaries.mjs';
import type { Sighting } from './sightings.mjs';

/** A test that differs, and why. */
export interface Exception {
  readonly file: string;
  readonly test: string;
  /** Where a canary may be seen; without it the servers of the test get none. */
  readonly sink?: string;
  readonly why: string;
}

const WITHOUT_SCRUBBER = 'it switches the scrubber off by itself';

/** Every test whose servers hold no canaries, or show them where that is right. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    file: 'test/cli/status.test.ts',
    test: 'doctor > says for each server what is wrong and what to do',
    why: 'it compares all that a server wrote to stderr',
  },
  {
    file: 'test/cli/events.test.ts',
    test: 'no secret',
    sink: 'stdout of a command',
    why: 'the command shows the answer of a server that tells its environment, and an answer is its caller’s',
  },
  { file: 'test/secrets/sinks.test.ts', test: 'the same search without the scrubber', why: WITHOUT_SCRUBBER },
  { file: 'test/secrets/command-line.test.ts', test: 'the same commands without the scrubber', why: WITHOUT_SCRUBBER },
];

/** Whether the servers of a test get no canaries. */
export function isSpared(place: Place): boolean {
  return EXCEPTIONS.some((each) => each.sink === undefined && isAbout(each, place));
}

export function isExpected(sighting: Sighting): boolean {
  return EXCEPTIONS.some((each) => each.sink === sighting.sink && isAbout(each, sighting));
}

function isAbout(exception: Exception, { file = '', test = '' }: Partial<Place>): boolean {
  return file.endsWith(exception.file) && test.includes(exception.test);
}
