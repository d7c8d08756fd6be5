import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openTemporaryFolder } from './fixtures/temporary-folder.ts';
import { until } from './fixtures/until.ts';
import { projectRoot } from './project-files.ts';

const PROGRAM = `
declare const process: { argv: string[]; exitCode: number; exit(code: number): void; on(name: string, run: () => void): void };
declare function setTimeout(run: () => void, delayMs: number): void;
declare const console: { log(text: string): void };
process.on('SIGTERM', () => process.exit(43));
console.log(JSON.stringify(process.argv.slice(2)));
if (process.argv.includes('--wait')) setTimeout(() => undefined, 60_000);
else process.exitCode = 3;
`;

/** Loads one of its modules when it is about to end. */
const LATE_PROGRAM = `
declare const process: { exit(code: number): void; on(name: string, run: () => void): void };
declare function setTimeout(run: () => void, delayMs: number): void;
declare const console: { log(text: string): void };
process.on('SIGTERM', () => {
  void import('./late.js').then(({ late }) => {
    console.log(late);
    process.exit(0);
  });
});
console.log('up');
setTimeout(() => undefined, 60_000);
`;

describe('scripts/run.mjs', () => {
  test('builds, hands over arguments and exit status, and is silent when nothing is stale', async () => {
    await using project = await openProject();
    const first = await project.run('start', '--', 'status', '--json');
    expect(first).toEqual({
      status: 3,
      stdout: '["status","--json"]\n',
      stderr: expect.stringMatching(/^Build dist .*ok/),
    });
    const second = await project.run('start', 'add', 'files', '--', 'npx');
    expect(second).toEqual({ status: 3, stdout: '["add","files","--","npx"]\n', stderr: '' });
  });

  test('builds again when a source has changed, and takes what is gone out of dist', async () => {
    await using project = await openProject();
    project.write('src/spare.ts', 'export const spare: number = 1;');
    await project.run('build');
    expect(existsSync(project.file('dist/spare.js'))).toBe(true);
    rmSync(project.file('src/spare.ts'));
    expect((await project.run('build')).stderr).toContain('Build dist');
    expect(existsSync(project.file('dist/spare.js'))).toBe(false);
  });

  test('repairs a dist that lost a file', async () => {
    await using project = await openProject();
    await project.run('build');
    rmSync(project.file('dist/cli/main.js'));
    expect((await project.run('start')).status).toBe(3);
  });

  test('makes one file of a command and its modules, which still find what is beside them', async () => {
    await using project = await openProject();
    project.write(
      'src/deep/address.ts',
      'export const address: string = new URL("./beside.js", import.meta.url).href;',
    );
    project.write('src/cli/main.ts', 'import { address } from "../deep/address.js";\nconsole.log(address);');
    const { stdout } = await project.run('start');
    expect(stdout.trim()).toBe(pathToFileURL(project.file('dist/deep/beside.js')).href);
    expect(readdirSync(project.file('dist/cli')).toSorted()).toEqual(['LICENSES.txt', 'main.js']);
  });

  test('leaves a running command its modules when it builds again, and takes them away with the build after that', async () => {
    await using project = await openProject();
    const late = (text: string): void => project.write('src/cli/late.ts', `export const late: string = '${text}';`);
    const chunks = (): readonly string[] =>
      readdirSync(project.file('dist/cli')).filter((file) => file.includes('late'));
    project.write('src/cli/main.ts', LATE_PROGRAM);
    late('first');
    const child = project.spawn('start');
    await until(() => child.stdoutText() !== '', { describe: 'the program runs' });
    late('second');
    await project.run('build');
    expect(chunks()).toHaveLength(2);
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ status: 0, stdout: 'up\nfirst\n' });
    late('third');
    await project.run('build');
    expect(chunks()).toHaveLength(2);
    await project.prepack();
    expect(chunks()).toHaveLength(1);
  });

  test('shows what does not compile and keeps the last good dist', async () => {
    await using project = await openProject();
    await project.run('build');
    project.write('src/cli/main.ts', 'const count: number = "one";');
    const { status, stderr } = await project.run('start');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('src/cli/main.ts(1,7): error TS2322'),
    });
    expect(existsSync(project.file('dist/cli/main.js'))).toBe(true);
  });

  test('lets several starts at once build one after the other', async () => {
    await using project = await openProject();
    const runs = await Promise.all([1, 2, 3].map((each) => project.run('start', String(each))));
    expect(runs.map(({ stdout }) => stdout)).toEqual(['["1"]\n', '["2"]\n', '["3"]\n']);
    expect(runs.filter(({ stderr }) => stderr.includes('Build dist'))).toHaveLength(1);
    expect(existsSync(project.file('.set-up.lock'))).toBe(false);
  });

  test('takes over the lock of a set-up that died', async () => {
    await using project = await openProject();
    // No process has this id: it is above what any system gives out.
    project.write('.set-up.lock', JSON.stringify({ pid: 2 ** 30, host: hostname(), id: 'x' }));
    expect((await project.run('start')).status).toBe(3);
  });

  test('lets SIGTERM reach the program', async () => {
    await using project = await openProject();
    await project.run('build');
    const child = project.spawn('start', '--wait');
    await until(() => child.stdoutText() !== '', { describe: 'the program runs' });
    child.kill('SIGTERM');
    expect(await child.ended).toEqual({ status: 43, stdout: '["--wait"]\n', stderr: '' });
  });

  test('says which Node is needed and which was found', async () => {
    await using project = await openProject();
    project.write('package.json', JSON.stringify({ engines: { node: '>=99.1' } }));
    const { status, stderr } = await project.run('start');
    expect(status).toBe(1);
    expect(stderr).toContain(`needs Node >=99.1, but this is Node ${process.versions.node}`);
  });

  test('installs when the lockfile names what is not there, and says what to do when that fails', async () => {
    await using project = await openProject();
    project.write('package.json', JSON.stringify({ ...MANIFEST, dependencies: { nothing: '1.0.0' } }));
    const { status, stderr } = await project.run('start');
    expect(status).toBe(1);
    expect(stderr).toContain('npm ci ended with status 1');
    expect(stderr).toMatch(/package.json and package-lock.json disagree|could not reach its registry/);
  });

  test.each([[], ['nonsense']])('lists its commands when given %s', async (...args) => {
    await using project = await openProject();
    const { status, stderr } = await project.run(...args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/start.*\n.*test.*\n.*check/) });
  });
});

const MANIFEST = { name: 'sample', version: '1.0.0', type: 'module', engines: { node: '>=20.19' } };

interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly ended: Promise<Ending>;
  stdoutText(): string;
  kill(signal: NodeJS.Signals): void;
}

interface Project extends AsyncDisposable {
  file(name: string): string;
  write(name: string, text: string): void;
  spawn(...args: readonly string[]): Running;
  run(...args: readonly string[]): Promise<Ending>;
  /** As npm does before it packs. */
  prepack(): Promise<Ending>;
}

/** A small project with our scripts, and what they build with as its only installed packages. */
async function openProject(): Promise<Project> {
  const folder = await openTemporaryFolder();
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder.file(name), '..'), { recursive: true });
    writeFileSync(folder.file(name), text);
  };
  cpSync(join(projectRoot, 'scripts'), folder.file('scripts'), { recursive: true });
  write('package.json', JSON.stringify(MANIFEST));
  write('package-lock.json', JSON.stringify({ ...MANIFEST, lockfileVersion: 3, packages: { '': MANIFEST } }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  for (const name of ['typescript', 'rolldown']) {
    symlinkSync(join(projectRoot, 'node_modules', name), folder.file(join('node_modules', name)), 'junction');
  }
  const compilerOptions = {
    strict: true,
    rootDir: 'src',
    module: 'NodeNext',
    target: 'ES2023',
    types: [],
    noEmitOnError: true,
  };
  write('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  write('src/cli/main.ts', PROGRAM);
  const start = (...args: readonly string[]): Running => startScript(folder.file('scripts/run.mjs'), args);
  return {
    file: (name) => folder.file(name),
    write,
    spawn: start,
    run: (...args) => start(...args).ended,
    prepack: () => startScript(folder.file('scripts/run.mjs'), ['build'], { npm_lifecycle_event: 'prepack' }).ended,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function startScript(script: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Running {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...env, npm_config_offline: 'true', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  return {
    ended: once(child, 'close').then(([status]) => ({ status: status as number | null, ...written })),
    stdoutText: () => written.stdout,
    kill: (signal) => child.kill(signal),
  };
}
