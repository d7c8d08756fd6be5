import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  AgentRun,
  Hub,
  McpConnectionError,
  McpIntegrationSection,
  McpServer,
  PromptTemplate,
  Session,
} from '../../src/index.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { HeldAnswer } from '../fixtures/scripted-server.ts';
import { until } from '../fixtures/until.ts';

test('[S1.multiplex, S1.multi-session] sections of several sessions share one process, which ends with the last', async () => {
  const { server, processes } = marked('shared');
  await using hub = new Hub();
  const first = new McpIntegrationSection({ servers: [server], session: new Session(), hub });
  await using second = new McpIntegrationSection({ servers: [server], session: new Session(), hub, key: 'second' });
  expect(processes()).toEqual([]);
  await Promise.all([first.connect(), second.connect()]);
  const pids = [first, second].map((section) => section.hub.serverStatus('shared').pid);
  expect(pids).toEqual([expect.any(Number), pids[0]]);
  await first.disconnect();
  expect(processes().length).toBeGreaterThan(0);
  await second.disconnect();
  expect(processes()).toEqual([]);
});

test('[S1.lifecycle] a failed connect leaves no process', async () => {
  const { server, processes } = marked('healthy');
  const slow = marked('slow', 'silent');
  await using section = new McpIntegrationSection({ servers: [server], session: new Session() });
  await section.connect();
  expect(processes().length).toBeGreaterThan(0);
  await section.disconnect();
  expect(processes()).toEqual([]);
  const held = new HeldAnswer();
  const failing = McpServer.sdk('failing', () => ({
    connect: async () => {
      await held.answer({});
      throw new Error('it does not start');
    },
    close: async () => undefined,
  }));
  await using doomed = new McpIntegrationSection({ servers: [server, slow.server, failing], session: new Session() });
  const attempt = doomed.connect();
  const failure = expect(attempt).rejects.toThrow(McpConnectionError);
  await until(() => processes().length > 0 && slow.processes().length > 0, { describe: 'both have started' });
  held.give({});
  await failure;
  expect([processes(), slow.processes()]).toEqual([[], []]);
});

test('[S1.lazy] opening a closed integration section starts its servers, and each call is told once', async () => {
  const { server, processes } = marked('shared');
  await using hub = new Hub();
  const session = new Session();
  await using section = new McpIntegrationSection({
    servers: [server],
    session,
    hub,
    key: 'tools',
    summary: 'Tools of the shared server.',
    visibility: 'summary',
  });
  const template = new PromptTemplate({ ns: 'test', key: 'lazy', sections: [section] });
  await using run = await AgentRun.open(template.bind(), { hub, session });
  expect(processes()).toEqual([]);
  expect(await run.call('open_sections', { section_keys: ['tools'], reason: 'to call' })).toMatchObject({
    outcome: 'ok',
  });
  expect(processes().length).toBeGreaterThan(0);
  const told: unknown[] = [];
  session.dispatcher.subscribe('tool-invoked', ({ name, source, mcpServer, outcome }) =>
    told.push({ name, source, mcpServer, outcome }),
  );
  await run.call('shared_echo', { message: 'hello' });
  expect(told).toEqual([{ name: 'shared_echo', source: 'mcp', mcpServer: 'shared', outcome: 'ok' }]);
});

test('an integration section whose server cannot start says so when it is opened', async () => {
  await using hub = new Hub({ random: () => 0 });
  const session = new Session();
  const missing = McpServer.stdio('missing', 'no-such-command-anywhere');
  await using section = new McpIntegrationSection({
    servers: [missing],
    session,
    hub,
    key: 'tools',
    summary: 'Tools that are not there.',
    visibility: 'summary',
  });
  const template = new PromptTemplate({ ns: 'test', key: 'missing', sections: [section] });
  await using run = await AgentRun.open(template.bind(), { hub, session });
  expect(await run.call('open_sections', { section_keys: ['tools'], reason: 'to call' })).toMatchObject({
    outcome: 'tool-error',
    message: expect.stringContaining("Section 'tools' cannot be opened"),
  });
});

/** A server whose processes can be told from all others. */
function marked(
  name: string,
  mode: 'healthy' | 'silent' = 'healthy',
): { readonly server: McpServer; readonly processes: () => readonly number[] } {
  const mark = `FAIRLEAD_TEST_MARK=${randomUUID()}`;
  const { command, args } = faulty(mode);
  const [key = '', value = ''] = mark.split('=');
  const server = McpServer.stdio(name, command, args, { env: { [key]: value } });
  return { server, processes: () => processesMarked(mark) };
}
