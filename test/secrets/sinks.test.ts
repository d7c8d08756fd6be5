import { expect, test, vi } from 'vitest';
import { Scrubber } from '../../src/index.ts';
import { runLeaks, SINKS } from './leak-run.ts';
import { placesSeen, plantSecrets } from './planted-secrets.ts';

test('[S1.secrets] secrets that servers tell in every way are seen in nothing that is written, shown or thrown', async () => {
  const secrets = plantSecrets();
  const sinks = await runLeaks(secrets);
  expect(placesSeen(secrets, sinks)).toEqual({});
  // A search that finds nothing proves something only if there was something to search.
  expect(SINKS.filter((name) => sinks[name].length === 0)).toEqual([]);
});

test('[S1.secrets] the same search without the scrubber finds them everywhere that a server can reach', async () => {
  vi.spyOn(Scrubber.prototype, 'scrub').mockImplementation((text) => text);
  vi.spyOn(Scrubber.prototype, 'scrubValue').mockImplementation((value) => value);
  const secrets = plantSecrets();
  const places = Object.keys(placesSeen(secrets, await runLeaks(secrets)));
  // Of a server whose era is remembered only a digest is written down.
  expect(places).toEqual(SINKS.filter((name) => name !== 'eras'));
});
