import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isExpected } from './exceptions.ts';
import { plantedCount } from './plant.mjs';
import { readSightings } from './sightings.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    canaries: { readonly seed: string; readonly folder: string; readonly isScrubbing: boolean };
  }
}

/** Prepares one run of the suite for secrets, and says at its end what came of it. */
export function setup(project: TestProject): () => void {
  const given = process.env['CANARY_FOLDER'];
  const folder = given ?? mkdtempSync(join(tmpdir(), 'fairlead-canaries-'));
  project.provide('canaries', { seed: randomUUID(), folder, isScrubbing: process.env['CANARY_SCRUBBER'] !== 'off' });
  return () => {
    const seen = readSightings(folder).filter((sighting) => !isExpected(sighting));
    process.stdout.write(`\n${plantedCount(folder)} servers held secrets; they were seen ${seen.length} times.\n`);
    if (given === undefined) rmSync(folder, { recursive: true });
    // What is seen after a test file has ended fails none.
    if (seen.length > 0) process.exitCode = 1;
  };
}
