import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOME_FOLDERS, REGISTRY_HOSTS, tracesIn, tracesOfThisMachine } from './machine-traces.ts';
import { pathsUnder, projectRoot, readFiles, readJson } from './project-files.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = readJson('package-lock.json') as { packages: Readonly<Record<string, LockedPackage>> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

describe('the lockfile', () => {
  test('records no registry', () => {
    expect(installed.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  test('records what every package must contain', () => {
    expect(installed.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  // Where the registry lacks one of them npm leaves it out in silence, and `npm ci` refuses the lockfile everywhere.
  test('records the packages of every platform', () => {
    const names = new Set(installed.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const wanted = installed.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('the committed files', () => {
  const files = readFiles(committedPaths());

  test('are really read', () => {
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'test/lockfile.test.ts']));
  });

  test('name no registry and nothing of the machine they were written on', () => {
    const traces = [...REGISTRY_HOSTS, ...HOME_FOLDERS, ...tracesOfThisMachine()];
    expect(files.flatMap((file) => tracesIn(file, traces))).toEqual([]);
  });
});

describe('tracesIn', () => {
  // Put together here, because this file is searched too.
  const host = ['registry', 'example', 'org'].join('.');

  test.each([
    [`https://${host}/zod/-/zod-4.tgz`, 'an npm registry'],
    [`https://${['files', 'pythonhosted', 'org'].join('.')}/x`, 'a Python registry'],
    [`https://team.${['jfrog', 'io'].join('.')}/npm`, 'a package proxy'],
    [`see ${['', 'home', 'somebody', 'notes.md'].join('/')}`, 'a home folder'],
    [`"${['', 'Users', 'somebody', 'code'].join('/')}"`, 'a home folder'],
    [['C:', 'Users', 'somebody'].join('\\'), 'a Windows home folder'],
    [`cd ${join(projectRoot, 'src')}`, 'a folder of this machine'],
  ])('finds %s', (text, name) => {
    const traces = [...REGISTRY_HOSTS, ...HOME_FOLDERS, ...tracesOfThisMachine()];
    expect(tracesIn({ path: 'a.md', text: `\n${text}` }, traces)).toContain(`a.md:2 names ${name}`);
  });

  test.each([
    '/home/ada/.config',
    'this.#registry.offered.org()',
    'the home/page/ of it',
    'https://modelcontextprotocol.io',
  ])('leaves %s alone', (text) => {
    expect(tracesIn({ path: 'a.md', text }, [...REGISTRY_HOSTS, ...HOME_FOLDERS])).toEqual([]);
  });
});

/** What git has or would take; in a copy without git, all that is neither installed nor made. */
function committedPaths(): readonly string[] {
  try {
    const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)));
  } catch {
    return pathsUnder('.').filter((path) => !/^(?:node_modules|dist|\.dist-\d+|coverage|\.git)\//.test(path));
  }
}
