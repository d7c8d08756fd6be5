import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readSightings } from '../canaries/sightings.mjs';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { projectRoot } from '../project-files.ts';

// A part of the suite in which every kind of sink occurs.
const PART = [
  'test/secrets/sinks.test.ts',
  'test/secrets/command-line.test.ts',
  'test/bridge/tracing.test.ts',
  'test/cli/status.test.ts',
  'test/hub/remote.test.ts',
];

const SINKS = [
  'errors',
  'event resource-changed',
  'event server-failed',
  'event tool-invoked',
  'file catalogs',
  'file events.jsonl',
  'file state',
  'logs',
  'logs of a command',
  'reports',
  'snapshots',
  'spans',
  'statuses',
  'stderr of a command',
  'stdout of a command',
  'tools',
];

const PATIENCE_MS = 600_000;

test(
  '[S1.secrets] the run that searches every sink of the suite finds secrets in each of them once nothing masks them',
  async () => {
    await using folder = await openTemporaryFolder();
    const args = ['run', '--config', 'vitest.secrets.config.ts', '-t', '^(?!.*without the scrubber)', ...PART];
    const { PATH, HOME } = process.env;
    const run = promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
      cwd: projectRoot,
      env: { PATH, HOME, CANARY_FOLDER: folder.path, CANARY_SCRUBBER: 'off', NO_COLOR: '1' },
      maxBuffer: Infinity,
    });
    const { code, stdout } = await run.then(
      ({ stdout: output }) => ({ code: 0, stdout: output }),
      (error: unknown) => error as { readonly code: number; readonly stdout: string },
    );
    expect(code).toBe(1);
    const seen = readSightings(folder.path);
    expect([...new Set(seen.map(({ sink }) => sink.replace(/\/.*/, '')))].toSorted()).toEqual(SINKS);
    expect([...new Set(seen.flatMap(({ forms }) => forms))].toSorted()).toEqual(['base64', 'hex', 'text']);
    // Every test file fails for it, not only the run as a whole.
    expect(stdout).toMatch(new RegExp(`Test Files +${PART.length} failed \\(${PART.length}\\)`));
  },
  PATIENCE_MS,
);
