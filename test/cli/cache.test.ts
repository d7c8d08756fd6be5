import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { CliFolder } from './cli-folder.ts';

test('tools that were seen before are listed without starting a server', async () => {
  await using cli = await CliFolder.open({ fixture: { ...v2Stdio() } });
  const first = await cli.run(['tools', '--json']);
  // The same definition, but now it would fail to start.
  const second = await cli.run(['tools', '--json'], { env: { PATH: '/nowhere' } });
  expect(second).toEqual({ ...first, stderr: expect.any(String) });
  expect(JSON.parse(second.stdout)).toHaveLength(JSON.parse(first.stdout).length);
  expect((await cli.run(['call', 'fixture', 'add', 'a=1', 'b=2'])).stdout.trim()).toBe('3');
});

test('cache shows what is remembered, and clear forgets it', async () => {
  await using cli = await CliFolder.open({ fixture: { ...v2Stdio() } });
  expect((await cli.run(['cache'])).stderr).toContain('Nothing is remembered yet');
  await cli.run(['tools']);
  expect((await cli.run(['cache'])).stdout).toMatch(/SERVER +TOOLS +SIZE +AGE\s+fixture +\d+/);
  const [entry] = JSON.parse((await cli.run(['cache', '--json'])).stdout) as [{ server: string; tools: number }];
  expect(entry).toMatchObject({ server: 'fixture', tools: expect.any(Number) });
  expect((await cli.run(['cache', 'clear', 'other'])).stdout).toBe('Forgot 0 catalogs.\n');
  expect((await cli.run(['cache', 'clear'])).stdout).toBe('Forgot 1 catalog.\n');
  expect((await cli.run(['cache', 'empty'])).status).toBe(2);
});

test('--no-cache neither uses nor keeps anything', async () => {
  await using cli = await CliFolder.open({ fixture: { ...v2Stdio() } });
  await cli.run(['tools', '--no-cache']);
  expect((await cli.run(['cache', '--json'])).stdout.trim()).toBe('[]');
});

test('listing from the cache loads no SDK, no validator and no tokenizer', async () => {
  await using cli = await CliFolder.open({ fixture: { ...v2Stdio() } });
  await cli.run(['tools']);
  const { loaded, env } = await watchModules();
  const { status } = await cli.run(['tools', '--json'], { env });
  expect(status).toBe(0);
  const modules = await readFile(loaded, 'utf8');
  expect(modules).toContain('/dist/cli/tools.js');
  expect(modules.match(/@modelcontextprotocol|\/ajv\/|tokenizer/g)).toBeNull();
  // The same watch sees the SDK where it is needed.
  await cli.run(['tools', '--no-cache'], { env });
  expect(await readFile(loaded, 'utf8')).toContain('@modelcontextprotocol/client');
});

/** An environment in which a command writes down the address of every module that it loads. */
async function watchModules(): Promise<{ readonly loaded: string; readonly env: Readonly<Record<string, string>> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-modules-'));
  const loaded = join(folder, 'loaded.txt');
  await writeFile(loaded, '');
  const hooks = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + '\\n'); return next(url, context); }`;
  await writeFile(join(folder, 'hooks.mjs'), hooks);
  const register = `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(join(folder, 'hooks.mjs')).href)});`;
  await writeFile(join(folder, 'register.mjs'), register);
  return { loaded, env: { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'register.mjs')).href}` } };
}
