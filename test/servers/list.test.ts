import { describe, expect, test } from 'vitest';
import { isServerName } from '../../src/config/server-name.ts';
import { readJson } from '../project-files.ts';

interface Entry {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly tools?: number;
  readonly refuses?: object;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const entries = readJson('servers/list.json') as readonly Entry[];
const { dependencies } = readJson('servers/package.json') as { dependencies: Readonly<Record<string, string>> };

describe('the list of public servers', () => {
  test('has at least forty, each under a name of its own', () => {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    expect(entries.length).toBeGreaterThanOrEqual(40);
    expect(entries.filter(({ name }) => !isServerName(name))).toEqual([]);
  });

  test('names exactly the packages and versions that are installed', () => {
    expect(Object.fromEntries(entries.map((entry) => [entry.package, entry.version]))).toEqual(dependencies);
  });

  test('knows of each how many tools it has, or why it cannot start', () => {
    expect(entries.filter(({ tools, refuses }) => (tools === undefined) === (refuses === undefined))).toEqual([]);
  });
});

describe('the lockfile of the public servers', () => {
  const { packages } = readJson('servers/package-lock.json') as { packages: Readonly<Record<string, LockedPackage>> };
  const installed = Object.entries(packages).filter(([path]) => path !== '');

  test('records no registry', () => {
    expect(installed.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  test('records the packages of every platform', () => {
    const names = new Set(installed.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const wanted = installed.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });
});
