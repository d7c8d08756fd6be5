import { expect, test } from 'vitest';
import {
  AgentRun,
  defineTool,
  Hub,
  McpConnectionPool,
  McpIntegrationSection,
  McpServer,
  MemoryOverridesStore,
  PromptTemplate,
  ResourceContainer,
  ResourceRegistry,
  SequentialDependencyPolicy,
  Session,
} from '../../src/index.ts';
import type { NativeTool, SectionTool, ToolPolicy } from '../../src/index.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';

test('[S1.template] a stored text may name the variables of the section, as its own template may', async () => {
  await using section = await McpIntegrationSection.open({
    servers: [serverOf('github', 'create', 'close'), serverOf('files', 'read')],
    session: new Session(),
    acceptsOverrides: true,
  });
  const prompt = new PromptTemplate({ ns: 'tests', key: 'stored', sections: [section] }).bind();
  const store = new MemoryOverridesStore();
  const [described] = prompt.descriptor.sections;
  const body = '$tool_count tools of ${server_names}:\n\n${tools_by_server}';
  await store.upsert(prompt.descriptor, {
    sections: { [section.key]: { expectedHash: described?.contentHash ?? '', body } },
  });
  const { text } = await prompt.render({ overrides: store });
  expect(text).toBe(
    [
      '## 1. MCP Integrations (mcp.integrations)',
      '3 tools of github, files:',
      '### github',
      '- `github_create`\n- `github_close`',
      '### files',
      '- `files_read`',
    ].join('\n\n'),
  );
});

test('[S1.pool] the pools of all integration sections of a prompt are found as one, and each by its section', async () => {
  const session = new Session();
  await using hub = new Hub({ servers: [serverOf('mail', 'send'), serverOf('files', 'of_the_template')] });
  await using first = await McpIntegrationSection.open({
    servers: [serverOf('github', 'create')],
    session,
    key: 'one',
  });
  await using second = await McpIntegrationSection.open({ servers: [serverOf('files', 'read')], session, key: 'two' });
  const { resources } = new PromptTemplate({
    ns: 'tests',
    key: 'pools',
    sections: [first, second],
    resources: ResourceRegistry.of(McpConnectionPool.over(hub)),
  }).bind();
  await using container = new ResourceContainer(resources);
  const pool = container.get(McpConnectionPool);
  expect(pool?.names()).toEqual(['mail', 'files', 'github']);
  // Those of sections stand over those of the template.
  expect(pool?.get('files')?.tools.map(({ name }) => name)).toEqual(['files_read']);
  expect(pool?.get('github')?.status.phase).toBe('connected');
  expect(await pool?.get('github')?.callTool('create')).toMatchObject({ isError: false });
  expect(pool?.get('unknown')).toBeUndefined();
  expect([first.pool.names(), second.pool.names()]).toEqual([['github'], ['files']]);
});

test('a call of an integration tool from inside another tool is kept or dropped with that tool', async () => {
  const { run, section } = await openNested([new SequentialDependencyPolicy({ github_publish: ['github_prepare'] })]);
  await using _section = section;
  await using _run = run;
  expect(await run.call('outer', { fails: true })).toMatchObject({ outcome: 'tool-error' });
  expect(await run.call('github_publish')).toMatchObject({ outcome: 'denied' });
  expect(await run.call('outer', { fails: false })).toMatchObject({ outcome: 'ok' });
  expect(await run.call('github_publish')).toMatchObject({ outcome: 'ok' });
});

test('what the policies of an integration section note is dropped with a call that the prompt cannot keep', async () => {
  let isBroken = true;
  const late: ToolPolicy = {
    name: 'late',
    onResult: () => (isBroken ? Promise.reject(new Error('not noted')) : Promise.resolve()),
  };
  const { run, section } = await openNested(
    [new SequentialDependencyPolicy({ github_publish: ['github_prepare'] })],
    [late],
  );
  await using _section = section;
  await using _run = run;
  expect(await run.call('github_prepare')).toMatchObject({ success: false });
  isBroken = false;
  expect(await run.call('github_publish')).toMatchObject({ outcome: 'denied' });
  expect(await run.call('github_prepare')).toMatchObject({ outcome: 'ok' });
  expect(await run.call('github_publish')).toMatchObject({ outcome: 'ok' });
});

test('a handle joins the call whose context it is given, and no call of another session', async () => {
  const session = new Session();
  const order = new SequentialDependencyPolicy({ github_publish: ['github_prepare'] });
  await using section = await McpIntegrationSection.open({
    servers: [serverOf('github', 'prepare', 'publish')],
    session,
    policies: [order],
  });
  const [prepare, publish] = section.tools().filter(isHandle);
  const outer = defineTool({
    name: 'outer',
    description: '',
    params: { type: 'object' },
    handler: async (_, context) => {
      await prepare?.run({}, { within: context });
      throw new Error('dropped');
    },
  });
  await using hub = new Hub();
  const template = new PromptTemplate({ ns: 'tests', key: 'handles', sections: [], tools: [outer] });
  await using mine = await AgentRun.open(template.bind(), { hub, session });
  await mine.call('outer');
  expect(await publish?.run()).toMatchObject({ outcome: 'denied' });
  await using other = await AgentRun.open(template.bind(), { hub });
  await other.call('outer');
  expect(await publish?.run()).toMatchObject({ outcome: 'ok' });
});

async function openNested(
  ofSection: readonly ToolPolicy[],
  ofRun: readonly ToolPolicy[] = [],
): Promise<{ readonly run: AgentRun; readonly section: McpIntegrationSection }> {
  const session = new Session();
  const section = await McpIntegrationSection.open({
    servers: [serverOf('github', 'prepare', 'publish')],
    session,
    policies: ofSection,
  });
  const template = new PromptTemplate({ ns: 'tests', key: 'nested', sections: [section], tools: [outerTool()] });
  const run = await AgentRun.open(template.bind(), { hub: new Hub(), session, policies: ofRun });
  return { run, section };
}

function outerTool(): NativeTool {
  return defineTool({
    name: 'outer',
    description: 'Prepares, and may fail after that.',
    params: { type: 'object', properties: { fails: { type: 'boolean' } } },
    handler: async (params, context) => {
      const inner = await context.call('github_prepare');
      const { fails } = params as { readonly fails: boolean };
      return { content: inner.content, isError: fails || !inner.success };
    },
  });
}

function serverOf(name: string, ...tools: readonly string[]): McpServer {
  const answers = {
    'tools/list': () => ({ tools: tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } })) }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  };
  return McpServer.sdk(name, () => new ScriptedServer(answers));
}

function isHandle(tool: SectionTool): tool is Exclude<SectionTool, NativeTool> {
  return 'run' in tool;
}
