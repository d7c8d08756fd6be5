// Loaded before every test file of a run for secrets.
import { afterAll, expect, inject } from 'vitest';
import { VARIABLE } from './canaries.mjs';
import { isExpected } from './exceptions.ts';
import { readSightings } from './sightings.mjs';
import { currentPlace } from './sink-watch.ts';
import { tellingFetch } from './telling-fetch.ts';
import { watchClasses } from './watch-classes.ts';
import { watchOutput } from './watch-output.ts';
import { withoutScrubber } from './without-scrubber.ts';

const WATCHED = Symbol.for('fairlead.canaries');

const { seed, folder, isScrubbing } = inject('canaries');

// Modules stay from one test file to the next.
if (!Reflect.has(globalThis, WATCHED)) {
  Reflect.set(globalThis, WATCHED, true);
  process.env[VARIABLE] = JSON.stringify({ seed, folder });
  watchClasses();
  watchOutput({ streams: { stdout: process.stdout, stderr: process.stderr }, console });
  globalThis.fetch = tellingFetch(globalThis.fetch);
  if (!isScrubbing) withoutScrubber();
}

afterAll(() => {
  const here = currentPlace().file;
  const seen = readSightings(folder).filter((sighting) => sighting.file === here && !isExpected(sighting));
  const told = seen.map(
    ({ sink, forms, test, around }) => `${sink}, as ${forms.join(', ')}, in '${test}': …${around}…`,
  );
  expect(told, 'secrets were seen').toEqual([]);
});
