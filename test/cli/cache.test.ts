import { expect, test } from 'vitest';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { CliFolder } from './cli-folder.ts';
import { ModuleWatch } from './loaded-modules.ts';

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

test('listing from the cache loads no SDK, no validator and no tokenizer, and few files', async () => {
  await using cli = await CliFolder.open({ fixture: { ...v2Stdio() } });
  await cli.run(['tools']);
  const watch = await ModuleWatch.open();
  const { status } = await cli.run(['tools', '--json'], watch);
  expect([status, await watch.packages()]).toEqual([0, ['yaml', 'zod']]);
  expect((await watch.files()).length).toBeLessThan(40);
  // The same watch sees the SDK where it is needed.
  await cli.run(['tools', '--no-cache'], watch);
  expect(await watch.packages()).toContain('@modelcontextprotocol/client');
});

test('a parser is loaded only where there is a file of its format', async () => {
  await using cli = await CliFolder.open();
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { fixture: v2Stdio() } }));
  await cli.run(['tools']);
  const watch = await ModuleWatch.open();
  const { status } = await cli.run(['tools', '--json'], watch);
  expect([status, await watch.packages()]).toEqual([0, ['jsonc-parser', 'zod']]);
});

test('what cannot be forgotten is told without a stack', async () => {
  await using cli = await CliFolder.open();
  cli.write('file', '');
  const { status, stderr } = await cli.run(['cache', 'clear'], { env: { FAIRLEAD_HOME: cli.file('file') } });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^fairlead: what is remembered cannot be removed: ENOTDIR[^\n]*\n$/),
  });
});
