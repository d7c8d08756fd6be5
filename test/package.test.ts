import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot, readJson } from './project-files.ts';

const manifest = readJson('package.json') as {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
};

describe('the packed package', () => {
  const paths = packedPaths();

  test.each([
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cli/main.js',
    'schema/fairlead.schema.json',
    'package.json',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ])('contains %s', (path) => {
    expect(paths).toContain(path);
  });

  test('contains nothing else than what is built and described', () => {
    const expected =
      /^(?:dist\/(?!.*\.test\.).+\.(?:js|js\.map|d\.ts)|dist\/cli\/LICENSES\.txt|schema\/.+\.json|[A-Z]+(?:\.md)?|package\.json)$/;
    expect(paths.filter((path) => !expected.test(path))).toEqual([]);
  });

  test('contains every file that its exports and its command name', () => {
    const targets = [...targetsOf(manifest.exports), ...targetsOf(manifest.bin)];
    expect(targets.map((target) => target.replace(/^\.\//, '')).filter((target) => !paths.includes(target))).toEqual(
      [],
    );
  });
});

describe('the built package', () => {
  test.each(Object.keys(manifest.exports))('resolves %s by its name', (subpath) => {
    const { resolve } = createRequire(join(projectRoot, 'package.json'));
    expect(resolve(join(manifest.name, subpath))).toContain(projectRoot);
  });

  test('can be imported by its name', () => {
    const program = `console.log(Object.keys(await import('${manifest.name}')).join())`;
    const args = ['--input-type=module', '-e', program];
    const names = execFileSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' }).trim().split(',');
    expect(names).toContain('McpServer');
  });

  test('has a command in few files, with the terms of the packages whose code is in them', () => {
    const folder = join(projectRoot, 'dist/cli');
    expect(bundleFrom(join(folder, 'main.js')).size).toBeLessThan(60);
    const terms = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
    // The last two are inside of the SDK's own files.
    for (const name of ['@modelcontextprotocol/client', 'yaml', 'zod', 'ajv', 'fast-uri']) {
      expect(terms).toMatch(new RegExp(`^${name} \\d+\\.\\S+ \\((?:MIT|ISC|Apache-2.0|BSD-3-Clause)`, 'm'));
    }
    // Of our own library nothing is in a bundle: whoever imports it gets one copy of each package.
    expect(readFileSync(join(projectRoot, 'dist/config/yaml-document.js'), 'utf8')).toContain("from 'yaml'");
  });

  test('has a command that a shell can start', () => {
    for (const path of Object.values(manifest.bin)) {
      expect(readFileSync(join(projectRoot, path), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });
});

/** A file and those that it loads; others beside them may be of the build before. */
function bundleFrom(file: string, found: Set<string> = new Set()): ReadonlySet<string> {
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/["'](\.\/[\w-]+\.js)["']/g)) {
    const path = join(file, '..', name);
    if (!found.has(path) && existsSync(path)) bundleFrom(path, found);
  }
  return found;
}

function packedPaths(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const shell = process.platform === 'win32';
  const output = execFileSync('npm', args, {
    cwd: projectRoot,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(output) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return packed?.files.map(({ path }) => path) ?? [];
}

/** Every path in a tree of export conditions. */
function targetsOf(tree: unknown): readonly string[] {
  if (typeof tree === 'string') return [tree];
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(targetsOf) : [];
}
