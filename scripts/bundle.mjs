import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

// Loaded by one verb only, and far larger than all the rest.
const LEFT_OUT = /^(?:node:|gpt-tokenizer)/;

/** Makes few files of the many that a command would load: its own and those of the packages it uses. */
export async function bundleCommandLine(dist) {
  // Not before it is installed.
  const { rolldown } = await import('rolldown');
  const folder = join(dist, 'cli');
  const bundle = await rolldown({
    // Comments name files from here, so that the same sources give the same bundle.
    cwd: dist,
    input: { main: join(folder, 'main.js') },
    platform: 'node',
    external: LEFT_OUT,
    // Where a package has both, the older format would bring `require` along.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [keepAddresses(folder)],
    onLog: refuseWarnings,
  });
  const draft = join(dist, '.cli');
  try {
    const { output } = await bundle.write({
      dir: draft,
      entryFileNames: '[name].js',
      // A name belongs to one content, so that a build never mixes old files with new ones.
      chunkFileNames: '[name]-[hash].js',
      comments: { jsdoc: false, annotation: false, legal: true },
    });
    writeFileSync(join(draft, 'LICENSES.txt'), licences(output.flatMap(({ moduleIds = [] }) => moduleIds)));
    rmSync(folder, { recursive: true });
    renameSync(draft, folder);
  } finally {
    await bundle.close();
  }
}

/** Files that a module finds beside itself are still found once it is part of another one. */
function keepAddresses(folder) {
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!code.includes('import.meta.')) return undefined;
      if (packageOf(id)) throw new Error(`${id} asks for its own address, which it would not have in a bundle`);
      const address = JSON.stringify(relative(folder, id).split(sep).join('/'));
      return { code: code.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`), map: null };
    },
  };
}

/** What cannot be found or does not fit is a broken command, not a warning. */
function refuseWarnings(level, { message }) {
  if (level === 'warn') throw new Error(message);
}

/** The terms of every package whose code is in the bundle; most of them must go along with it. */
function licences(modules) {
  const folders = new Set(modules.flatMap((id) => packagesIn(id)));
  const texts = [...folders]
    .toSorted((left, right) => left.localeCompare(right))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(each));
      const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    });
  return `The command line contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n`)}`;
}

/** The folder of a module's package, and those of packages that it has in it: some bundle what they use, and say so in comments. */
function packagesIn(id) {
  const folder = packageOf(id);
  if (!folder) return [];
  const installed = folder.slice(0, folder.lastIndexOf('node_modules') + 'node_modules'.length);
  const names = readFileSync(id, 'utf8').matchAll(/^\/\/#region \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
  return [folder, ...[...names].map(([, name]) => join(installed, name))];
}

/** The folder of the installed package that a module belongs to; undefined for one of ours. */
function packageOf(id) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
}
