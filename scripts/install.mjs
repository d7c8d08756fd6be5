import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { runNpm } from './child.mjs';
import { withLock } from './lock.mjs';
import { hashOf, readStamp, root, SetUpError, writeStamp } from './project.mjs';
import { step } from './step.mjs';

const STAMP = 'installed';

/** Installs the packages of the lockfile, unless exactly those are there already. */
export async function ensureInstalled() {
  const wanted = wantedState();
  if (readStamp(STAMP) === wanted) return;
  await withLock(async () => {
    if (readStamp(STAMP) === wanted) return;
    if (!isInstalledByHand()) await step('Install the dependencies (npm ci)', install);
    writeStamp(STAMP, wanted);
  });
}

function wantedState() {
  const manifest = readJson('package.json');
  const asked = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies, manifest.overrides];
  const node = process.versions.node.split('.')[0];
  const hash = hashOf([readFileSync(join(root, 'package-lock.json'), 'utf8'), JSON.stringify(asked)]);
  return JSON.stringify({ hash, node, platform: `${process.platform}-${process.arch}` });
}

/** Whether npm's own record of node_modules agrees with the lockfile, as after an `npm install` without us. */
function isInstalledByHand() {
  const locked = readJson('package-lock.json').packages;
  const found = readJson('node_modules/.package-lock.json')?.packages;
  if (!found || !agreesWithManifest(locked[''])) return false;
  const isComplete = Object.entries(locked).every(([path, entry]) => path === '' || entry.optional || path in found);
  return isComplete && Object.entries(found).every(([path, entry]) => isSamePackage(entry, locked[path]));
}

function agreesWithManifest(locked) {
  const manifest = readJson('package.json');
  return ['dependencies', 'devDependencies'].every(
    (key) => JSON.stringify(sorted(manifest[key])) === JSON.stringify(sorted(locked[key])),
  );
}

function sorted(record = {}) {
  return Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function isSamePackage(found, locked) {
  if (found.version !== locked?.version || found.integrity !== locked.integrity) return false;
  return (
    (found.os ?? [process.platform]).includes(process.platform) && (found.cpu ?? [process.arch]).includes(process.arch)
  );
}

async function install() {
  const scratch = isCacheUsable() ? undefined : mkdtempSync(join(tmpdir(), 'fairlead-npm-'));
  try {
    await runCi(scratch ? { npm_config_cache: scratch } : {});
  } finally {
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  }
}

/** npm needs its cache folder, which lies in the home folder: there may be none, or none that can be written. */
function isCacheUsable() {
  const cache = process.env.npm_config_cache || join(homedir(), '.npm');
  if (!isAbsolute(cache)) return false;
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function runCi(env) {
  // Under `npm -s` or NODE_ENV=production npm would hide its errors or leave out what the build needs.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--no-update-notifier'];
  const { status, output } = await runNpm(['ci', ...flags], env).catch((error) => {
    throw error.code === 'ENOENT' ? new SetUpError('npm was not found. It comes with Node: check the PATH.') : error;
  });
  if (status === 0) return;
  const lines = output.trimEnd().split('\n').slice(-15);
  throw new SetUpError(`npm ci ended with status ${status}. It said:\n  ${lines.join('\n  ')}\n${adviceFor(output)}`);
}

function adviceFor(output) {
  if (/EUSAGE/.test(output)) return 'package.json and package-lock.json disagree: run `npm install` and commit both.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED/.test(output)) {
    return 'npm could not reach its registry: check the network, the proxy, and `npm config get registry`.';
  }
  if (/EACCES|EPERM/.test(output))
    return 'Something may not be written: check who owns node_modules and the npm cache.';
  if (/ENOSPC/.test(output)) return 'The disk is full.';
  return 'Run `npm ci` to see all of its output.';
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new SetUpError(`${path} cannot be read: ${error.message}`);
  }
}
