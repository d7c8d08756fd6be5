import { expect, test } from 'vitest';
import { Caller, Hub, McpServer, Session } from '../../src/index.ts';
import type { ToolPolicy } from '../../src/index.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { section, template, tool } from '../fixtures/prompt-sections.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { faultyServer } from '../hub/servers.ts';

const refuse: ToolPolicy = {
  name: 'refuse',
  check: ({ tool: { name } }) => ({ kind: 'deny', reason: `Not ${name}.` }),
};

test('[S0.discover, S0.no-spawn] discovery connects the rendered servers alone and gives their tools', async () => {
  await using folder = await openTemporaryFolder();
  await using hub = new Hub();
  // Notes each start of its process.
  const server = (name: string): McpServer => {
    const { command, args } = faulty('healthy');
    return McpServer.stdio(name, 'sh', ['-c', 'echo started >> "$0"; exec "$@"', folder.file(name), command, ...args]);
  };
  const prompt = template(
    section('open', { mcps: [server('first')], children: [section('within', { mcps: [server('second')] })] }),
    section('closed', { mcps: [server('hidden')], visibility: 'summary', summary: 'S' }),
    section('off', { mcps: [server('never')], enabled: () => false }),
  ).bind();
  expect((await prompt.render({ hub })).mcpTools).toBeUndefined();
  expect(hub.servers()).toEqual([]);
  const { mcpTools } = await prompt.render({ hub, discoverMcpTools: true });
  expect([...new Set(mcpTools?.map((spec) => spec.server))]).toEqual(['first', 'second']);
  expect(mcpTools).toEqual([...hub.tools('first'), ...hub.tools('second')]);
  expect(hub.servers().map(({ name }) => name)).toEqual(['first', 'second']);
  expect(['first', 'second', 'hidden', 'never'].map((name) => folder.lines(name).length)).toEqual([1, 1, 0, 0]);
  await prompt.render({ hub, discoverMcpTools: true });
  expect(folder.lines('first')).toHaveLength(1);
});

test('[S0.discover] a server that does not connect costs only its own tools', async () => {
  const logger = new RecordingLogger();
  await using hub = new Hub();
  const mcps = [faultyServer('broken', 'exit-at-start'), faultyServer('well', 'healthy')];
  const { mcpTools } = await template(section('a', { mcps })).bind().render({ hub, discoverMcpTools: true, logger });
  expect([...new Set(mcpTools?.map((spec) => spec.server))]).toEqual(['well']);
  expect(logger.lines).toMatchObject([
    { level: 'warn', message: 'prompt.discover.mcp_failed', fields: { context: { mcp_name: 'broken' } } },
  ]);
});

test('[S0.discover] discovery needs a hub', async () => {
  await expect(template().bind().render({ discoverMcpTools: true })).rejects.toThrow('discoverMcpTools needs a hub');
});

test("a section's policies decide on calls of its tools and servers, and on no others", async () => {
  await using hub = new Hub();
  const prompt = template(
    section('strict', { policies: [refuse], tools: [tool('own')], mcps: [faultyServer('files', 'healthy')] }),
    section('free', { tools: [tool('other')], mcps: [faultyServer('more', 'healthy')] }),
  ).bind();
  const rendered = await prompt.render();
  await hub.setServers(rendered.mcps);
  const tools = rendered.tools.filter((each) => 'execute' in each);
  const caller = new Caller({
    hub,
    session: new Session(),
    tools,
    sectionPolicies: rendered.policies,
    prompt: rendered,
  });
  const outcomes = await Promise.all([
    caller.call('own'),
    caller.call('other'),
    caller.call({ server: 'files', tool: 'echo' }, { message: 'x' }),
    caller.call({ server: 'more', tool: 'echo' }, { message: 'x' }),
  ]);
  expect(outcomes.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['denied', 'Not own.'],
    ['ok', 'Success'],
    ['denied', 'Not mcp__files__echo.'],
    ['ok', 'Success'],
  ]);
});
