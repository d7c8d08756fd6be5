import { expect } from 'vitest';
import type { Place } from './canaries.mjs';
import { Watch } from './sightings.mjs';

let watch: Watch | undefined;

/** Which test runs now; of several at once, the one that began last. */
export function currentPlace(): Place {
  const { testPath = 'no file', currentTestName = 'no test' } = expect.getState();
  return { file: testPath, test: currentTestName };
}

/** Searches something that leaves Fairlead. */
export function noteSink(sink: string, thing: unknown): void {
  watch ??= new Watch();
  watch.search(sink, thing, currentPlace());
}

/** Searches a folder that Fairlead may have written to. */
export function noteFolder(folder: string): void {
  watch ??= new Watch();
  watch.searchFolder(folder, currentPlace());
}
