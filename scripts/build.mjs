import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from './child.mjs';
import { withLock } from './lock.mjs';
import { hashOf, readStamp, root, SetUpError, writeStamp } from './project.mjs';
import { step } from './step.mjs';

const STAMP = 'built';
const dist = join(root, 'dist');

/** Compiles src to dist, unless dist is what the present sources give. */
export async function ensureBuilt() {
  if (isFresh(readSources())) return;
  await withLock(async () => {
    const sources = readSources();
    if (isFresh(sources)) return;
    await step('Build dist', build);
    writeStamp(STAMP, sources.hash);
  });
}

function isFresh({ files, hash }) {
  if (readStamp(STAMP) !== hash) return false;
  return files.every((file) => existsSync(join(dist, file.replace(/\.ts$/, '.js'))));
}

function readSources() {
  const files = filesUnder(join(root, 'src')).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const settings = [
    'package-lock.json',
    ...readdirSync(root)
      .filter((file) => /^tsconfig.*\.json$/.test(file))
      .toSorted(),
  ];
  const paths = [...settings, ...files.map((file) => join('src', file))];
  return { files, hash: hashOf(paths.flatMap((path) => [path, readFileSync(join(root, path), 'utf8')])) };
}

async function build() {
  const draft = join(root, `.dist-${process.pid}`);
  try {
    const args = ['-p', 'tsconfig.build.json', '--outDir', draft];
    const { status, output } = await runTool({ package: 'typescript', bin: 'tsc', args });
    if (status !== 0) throw new SetUpError(`${output.trimEnd()}\nThe sources do not compile; dist is left as it was.`);
    replaceDist(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Moves file by file, so that a running process finds every module at any moment. */
function replaceDist(draft) {
  const files = filesUnder(draft);
  for (const file of files) {
    mkdirSync(join(dist, dirname(file)), { recursive: true });
    renameSync(join(draft, file), join(dist, file));
  }
  const current = new Set(files);
  for (const file of filesUnder(dist)) if (!current.has(file)) rmSync(join(dist, file));
}

function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
