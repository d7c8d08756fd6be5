import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { Interrupted, runNpm, runTool } from './child.mjs';
import { hasColour, step } from './step.mjs';

// In this order; the last two look at the package as it would be published.
const CHECKS = {
  format: { package: 'oxfmt', args: ['--check'] },
  lint: { package: 'oxlint', args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'] },
  types: { package: 'typescript', bin: 'tsc', args: ['--noEmit'] },
  knip: { package: 'knip', args: ['--no-progress'] },
  publint: { package: 'publint', args: ['run', '--strict'], packed: true },
  attw: {
    package: '@arethetypeswrong/cli',
    bin: 'attw',
    args: ['--profile', 'esm-only', '--no-definitely-typed'],
    packed: true,
  },
};

/** Runs all checks, or the named ones, each to its end; gives the exit status. */
export async function check(names) {
  const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name));
  if (unknown.length > 0) {
    console.error(`There is no check '${unknown.join("', '")}'. The checks: ${Object.keys(CHECKS).join(', ')}.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-check-'));
  try {
    return await runAll(names.length > 0 ? names : Object.keys(CHECKS), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(names, folder) {
  const failed = [];
  let tarball;
  for (const name of names) {
    if (CHECKS[name].packed) tarball ??= await makePackage(folder);
    const result = await attempt(name, runCheck.bind(undefined, CHECKS[name], tarball));
    if (result.failed) failed.push(name);
  }
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'All checks passed.');
  return failed.length > 0 ? 1 : 0;
}

async function attempt(name, work) {
  const result = await step(name.padEnd(8), () => work().catch(toFailure), process.stdout);
  if (result.failed) console.log(result.output.trimEnd());
  return result;
}

function toFailure(error) {
  if (error instanceof Interrupted) throw error;
  return { failed: true, output: error.message };
}

async function runCheck(tool, tarball) {
  if (tool.packed && tarball.failed) return { failed: true, output: 'Not run: there is no package to look at.' };
  const args = tool.packed ? [...tool.args, tarball.path] : tool.args;
  const env = hasColour(process.stdout) ? { FORCE_COLOR: '1' } : {};
  const { status, signal, output } = await runTool({ ...tool, args, env });
  return { failed: status !== 0 || signal !== null, output };
}

async function makePackage(folder) {
  try {
    await ensureBuilt();
  } catch (error) {
    console.log(error.message);
    return toFailure(error);
  }
  return attempt('pack', () => pack(folder));
}

async function pack(folder) {
  const { status, output } = await runNpm([
    'pack',
    '--pack-destination',
    folder,
    '--ignore-scripts',
    '--loglevel=error',
  ]);
  return { failed: status !== 0, output, path: join(folder, output.trimEnd().split('\n').at(-1)) };
}
