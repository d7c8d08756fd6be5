import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bundleCommandLine } from './bundle.mjs';
import { runTool } from './child.mjs';
import { withLock } from './lock.mjs';
import { hashOf, readStamp, root, SetUpError, writeStamp } from './project.mjs';
import { step } from './step.mjs';

const STAMP = 'built';
const dist = join(root, 'dist');

/** Compiles src to dist and bundles the command line, unless dist is what the present sources give. */
export async function ensureBuilt() {
  if (!isFresh(hashSources())) {
    await withLock(async () => {
      const hash = hashSources();
      if (isFresh(hash)) return;
      const files = await step('Build dist', build);
      writeStamp(STAMP, [hash, ...files].join('\n'));
    });
  }
  if (process.env.npm_lifecycle_event === 'prepack') keepOnly(builtFiles());
}

/** Nothing has changed since the last build, and nothing that it made is gone. */
function isFresh(hash) {
  const [builtFrom] = readStamp(STAMP)?.split('\n') ?? [];
  return builtFrom === hash && builtFiles().every((file) => existsSync(join(dist, file)));
}

/** What the last build made. */
function builtFiles() {
  return readStamp(STAMP)?.split('\n').slice(1) ?? [];
}

function hashSources() {
  const files = filesUnder(join(root, 'src')).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const settings = [
    'package-lock.json',
    'scripts/bundle.mjs',
    ...readdirSync(root)
      .filter((file) => /^tsconfig.*\.json$/.test(file))
      .toSorted(),
  ];
  const paths = [...settings, ...files.map((file) => join('src', file))];
  return hashOf(paths.flatMap((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

async function build() {
  const draft = join(root, `.dist-${process.pid}`);
  try {
    const args = ['-p', 'tsconfig.build.json', '--outDir', draft];
    const { status, output } = await runTool({ package: 'typescript', bin: 'tsc', args });
    if (status !== 0) throw new SetUpError(`${output.trimEnd()}\nThe sources do not compile; dist is left as it was.`);
    await bundleCommandLine(draft);
    return replaceDist(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Moves file by file, so that a running process finds every module at any moment; gives what dist now holds. */
function replaceDist(draft) {
  const files = filesUnder(draft);
  // The entry comes after what it imports.
  for (const file of files.toSorted((left, right) => Number(isEntry(left)) - Number(isEntry(right)))) {
    mkdirSync(join(dist, dirname(file)), { recursive: true });
    renameSync(join(draft, file), join(dist, file));
  }
  // A command that was started before may still load parts of its bundle, which only the names of that build lead to.
  keepOnly([...files, ...builtFiles().filter((file) => dirname(file) === 'cli')]);
  return files;
}

function keepOnly(files) {
  const kept = new Set(files);
  for (const file of filesUnder(dist)) if (!kept.has(file)) rmSync(join(dist, file));
}

function isEntry(file) {
  return basename(file) === 'main.js';
}

function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
