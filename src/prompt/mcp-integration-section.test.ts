import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../call/tool-ref.ts';
import { McpServer } from '../config/server.ts';
import type { CommonOptions } from '../config/server.ts';
import { McpConnectionError } from '../errors.ts';
import { LocalHub } from '../hub/local-hub.ts';
import { McpConnectionPool } from '../bridge/mcp-connection-pool.ts';
import { deny } from '../policy/decision.ts';
import { ResourceContainer } from '../session/resource-container.ts';
import { Session } from '../session/session.ts';
import { ScriptedServer } from '../../test/fixtures/scripted-server.ts';
import { until } from '../../test/fixtures/until.ts';
import { McpIntegrationSection } from './mcp-integration-section.ts';
import type { McpIntegrationOptions } from './mcp-integration-section-options.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';
import { PromptTemplate } from './prompt-template.ts';

const sections: McpIntegrationSection[] = [];
afterEach(async () => {
  await Promise.all(sections.splice(0).map((section) => section.cleanup()));
});

describe('names and defaults', () => {
  test('[S1.names] refuses names that cannot begin a tool name, showing name and pattern', () => {
    for (const name of ['1st', 'a'.repeat(33)]) {
      expect(() => integrate({ servers: [tools(name)] })).toThrow(
        `Invalid MCP server name '${name}'. Must match pattern: ^[a-z][a-z0-9_-]{0,31}$`,
      );
    }
    expect(integrate({ servers: [tools('a'.repeat(32))] }).servers).toHaveLength(1);
  });

  test('[S1.names] names tools after the prefix, which is the name unless set', async () => {
    const servers = [tools('github', ['create_issue']), tools('files', ['read'], { toolPrefix: 'fs' })];
    const section = await connected({ servers });
    expect(namesOf(section)).toEqual(['github_create_issue', 'fs_read']);
  });

  test('[S1.section-defaults] has the title, key and settings of the document, and takes no params', () => {
    const section = integrate({ servers: [tools('github')] });
    const { title, key, params, acceptsOverrides, connected: isConnected, visibilityFor } = section;
    expect({ title, key, params, acceptsOverrides, isConnected, servers: section.hub.servers() }).toEqual({
      title: 'MCP Integrations',
      key: 'mcp.integrations',
      params: undefined,
      acceptsOverrides: false,
      isConnected: false,
      servers: [],
    });
    expect(visibilityFor.call(section, { params: {}, session: undefined })).toBe('full');
    expect(section.mayOfferTools).toBe(true);
    expect(section.mcps()).toEqual([]);
  });

  test('two servers of one name are refused', () => {
    expect(() => integrate({ servers: [tools('a'), tools('a')] })).toThrow("two servers called 'a'");
  });
});

describe('lifecycle', () => {
  test('[S1.lifecycle] tools() before connect raises McpConnectionError, also after a disconnect', async () => {
    const section = integrate({ servers: [tools('github', ['create_issue'])] });
    expect(() => section.tools()).toThrow(McpConnectionError);
    await section.connect();
    expect(section.connected).toBe(true);
    const [handle] = section.tools();
    await section.disconnect();
    expect(section.connected).toBe(false);
    expect(() => section.tools()).toThrow('github: not connected; call connect() first');
    await section.disconnect();
    await section.connect();
    expect(handle && 'run' in handle && (await handle.run())).toMatchObject({ outcome: 'ok' });
  });

  test('[S1.lifecycle] tools() before connect raises although the tools are remembered from another section', async () => {
    await using hub = new LocalHub();
    const servers = [tools('github', ['create_issue'])];
    await connected({ servers, hub });
    expect(() => integrate({ servers, hub }).tools()).toThrow(McpConnectionError);
  });

  test('[S1.lifecycle] connect may be called again, and at once', async () => {
    const server = new ScriptedServer(answers([]));
    const section = integrate({ servers: [McpServer.sdk('github', () => server)] });
    await Promise.all([section.connect(), section.connect()]);
    await section.connect();
    expect(server.requested.filter((method) => method === 'initialize')).toHaveLength(1);
  });

  test('connect after a disconnect that is still under way connects', async () => {
    const section = integrate({ servers: [tools('github', ['create_issue'])] });
    const first = section.connect();
    const leaving = section.disconnect();
    const second = section.connect();
    await expect(first).rejects.toThrow(McpConnectionError);
    await Promise.all([leaving, second]);
    expect(namesOf(section)).toEqual(['github_create_issue']);
  });

  test('[S1.lifecycle] a server that does not connect fails all, and nothing stays connected', async () => {
    const healthy = new ScriptedServer(answers(['go']));
    const section = integrate({ servers: [McpServer.sdk('healthy', () => healthy), broken()] });
    await expect(section.connect()).rejects.toThrow(McpConnectionError);
    expect(section.hub.status().map(({ name, phase, pid }) => ({ name, phase, pid }))).toEqual([
      { name: 'healthy', phase: 'disconnected', pid: undefined },
      { name: 'broken', phase: 'disconnected', pid: undefined },
    ]);
    expect(section.connected).toBe(false);
    expect(() => section.tools()).toThrow('healthy, broken: not connected (the last attempt failed: ');
  });

  test('onFailure skip leaves out the server that does not connect, and tells why', async () => {
    const section = await connected({ servers: [broken(), tools('healthy', ['go'])], onFailure: 'skip' });
    expect(namesOf(section)).toEqual(['healthy_go']);
    expect(section.connected).toBe(false);
    expect([...section.skipped.entries()]).toEqual([['broken', expect.any(McpConnectionError)]]);
    expect(section.hub.status().map(({ phase }) => phase)).toEqual(['disconnected', 'connected']);
    const text = await rendered(section);
    expect(text).toContain('### healthy');
    expect(text).not.toContain('broken');
  });

  test('a server that is declared as switched off is not waited for', async () => {
    const section = await connected({ servers: [broken().with({ enabled: false }), tools('healthy', ['go'])] });
    expect([section.connected, namesOf(section)]).toEqual([true, ['healthy_go']]);
  });

  test('[S1.lazy] nothing is started before connect(), and nothing runs after disconnect()', async () => {
    const { server, count } = counted();
    const section = integrate({ servers: [server] });
    const before = count();
    await section.connect();
    expect([before, count(), namesOf(section)]).toEqual([
      { started: 0, ended: 0 },
      { started: 1, ended: 0 },
      ['github_create_issue'],
    ]);
    await section.disconnect();
    expect([count(), section.connected]).toEqual([{ started: 1, ended: 1 }, false]);
  });

  test('is not connected once the hub it shares is closed', async () => {
    const hub = new LocalHub();
    const section = await connected({ servers: [tools('github')], hub });
    await hub.close();
    expect(section.connected).toBe(false);
    await section.disconnect();
  });

  test('[S1.eager] connectOnInit connects from the start, and `ready` tells when', async () => {
    const section = integrate({ servers: [tools('github', ['create_issue'])], connectOnInit: true });
    await section.ready;
    expect(section.connected).toBe(true);
    const failing = integrate({ servers: [broken()], connectOnInit: true });
    await expect(failing.ready).rejects.toThrow(McpConnectionError);
    await integrate({ servers: [broken()] }).ready;
  });

  test('[S1.using] await using disconnects at the end, also when the body throws', async () => {
    let seen: McpIntegrationSection | undefined;
    const use = async (): Promise<void> => {
      await using section = await McpIntegrationSection.open({ servers: [tools('github')], session: new Session() });
      seen = section;
      expect(section.connected).toBe(true);
      throw new Error('the body threw');
    };
    await expect(use()).rejects.toThrow('the body threw');
    expect(seen?.connected).toBe(false);
    await expect(McpIntegrationSection.open({ servers: [broken()], session: new Session() })).rejects.toThrow(
      McpConnectionError,
    );
  });

  test('an attempt is given up with its signal', async () => {
    const silent = McpServer.sdk(
      'silent',
      () => new ScriptedServer({ initialize: () => new Promise(() => undefined) }),
    );
    const section = integrate({ servers: [silent] });
    const giveUp = new AbortController();
    const attempt = section.connect({ signal: giveUp.signal });
    giveUp.abort();
    await expect(attempt).rejects.toThrow('cancelled');
    expect(section.hub.status().map(({ phase }) => phase)).toEqual(['disconnected']);
  });
});

describe('what it renders', () => {
  test('[S1.inventory] without a template the body is the inventory, one level below the section', async () => {
    const github = McpServer.sdk('github', () => new ScriptedServer(answers([['create_issue', 'Create an issue']])));
    const section = await connected({ servers: [github, tools('files', ['read', 'write'])] });
    const parent = new MarkdownSection({ title: 'All', key: 'all', template: 'Everything:', children: [section] });
    expect((await new PromptTemplate({ ns: 'n', key: 'k', sections: [parent] }).bind().render()).text).toBe(
      [
        '## 1. All (all)',
        'Everything:',
        '### 1.1. MCP Integrations (all.mcp.integrations)',
        'The following external tools are available via MCP:',
        '#### github',
        '- `github_create_issue` - Create an issue',
        '#### files',
        '- `files_read`\n- `files_write`',
      ].join('\n\n'),
    );
  });

  test('[S1.template] a template may name the servers, the number of tools and the inventory', async () => {
    const section = await connected({
      servers: [tools('github', ['create_issue']), tools('files', ['read', 'write'])],
      template: `
        Available servers: \${server_names}
        Total tools: $tool_count, for $$0
        \${tools_by_server}
      `,
    });
    expect(await rendered(section)).toBe(
      [
        '## 1. MCP Integrations (mcp.integrations)\n',
        'Available servers: github, files',
        'Total tools: 3, for $0',
        '### github\n',
        '- `github_create_issue`\n',
        '### files\n',
        '- `files_read`',
        '- `files_write`',
      ].join('\n'),
    );
  });

  test('[S1.template] a template may name fields of the params, and nothing that is unknown', async () => {
    const Team = defineParams<{ team: string }>('team', { fields: ['team'] });
    const section = await connected({ servers: [tools('github')], params: Team, template: '$team has $server_names' });
    const template = new PromptTemplate({ ns: 'n', key: 'k', sections: [section] });
    expect((await template.bind(Team({ team: 'Blue' })).render()).text).toContain('Blue has github');
    const wrong: string = '$server_nmaes';
    const misspelt = integrate({ servers: [tools('github')], template: wrong });
    expect(() => new PromptTemplate({ ns: 'n', key: 'k', sections: [misspelt] })).toThrow('$server_nmaes');
    // @ts-expect-error -- the compiler reads a literal template
    integrate({ servers: [tools('github')], template: '$server_nmaes' });
  });

  test('closed, it shows its summary and needs no connection', async () => {
    const section = integrate({ servers: [tools('github')], summary: 'GitHub is there.', visibility: 'summary' });
    const prompt = new PromptTemplate({ ns: 'n', key: 'k', sections: [section] }).bind();
    const { text, tools: offered } = await prompt.render();
    expect(text).toContain('call `open_sections` with key "mcp.integrations"');
    expect(offered).toEqual([]);
    await expect(prompt.render({ visibility: { 'mcp.integrations': 'full' } })).rejects.toThrow('call connect() first');
  });
});

describe('its tools', () => {
  test('run as calls of the session, under the names that the section gives them', async () => {
    const session = new Session();
    const invoked: unknown[] = [];
    session.dispatcher.subscribe('tool-invoked', ({ name, source, mcpServer }) => {
      invoked.push({ name, source, mcpServer });
    });
    const section = await connected({ servers: [tools('github', ['create_issue'])], session });
    await runFirst(section);
    expect(invoked).toEqual([{ name: 'github_create_issue', source: 'mcp', mcpServer: 'github' }]);
  });

  test('are filtered, and refused by the policies of section and server', async () => {
    const no = { name: 'no', check: () => deny('not today') };
    const filtered = tools('github', ['create_issue', 'list_issues', 'delete_repo']).withTools({
      enabled: ['create_issue', 'delete_repo'],
      disabled: ['delete_repo'],
    });
    const section = await connected({ servers: [filtered], policies: [no] });
    expect(namesOf(section)).toEqual(['github_create_issue']);
    expect(await runFirst(section)).toMatchObject({ outcome: 'denied', message: 'not today' });
    const ofServer = await connected({ servers: [filtered.withPolicies(no)] });
    expect(await runFirst(ofServer)).toMatchObject({ outcome: 'denied', message: 'not today' });
  });

  test('give their whole result, since the prompt that offers them has its own way to read on', async () => {
    const long = 'x'.repeat(200_000);
    const server = new ScriptedServer({
      ...answers(['read']),
      'tools/call': () => ({ content: [{ type: 'text', text: long }] }),
    });
    const section = await connected({ servers: [McpServer.sdk('github', () => server)] });
    expect(await runFirst(section)).toMatchObject({ content: [{ type: 'text', text: long }] });
    expect(namesOf(section)).toEqual(['github_read']);
  });

  test('[S1.hot-reload] follow the list of the server without a reconnect', async () => {
    const names = ['create_issue'];
    const server = new ScriptedServer({
      ...answers([]),
      'tools/list': () => ({ tools: names.map((name) => described(name)) }),
    });
    const section = await connected({ servers: [McpServer.sdk('github', () => server)] });
    const before = namesOf(section);
    names.push('close_issue');
    await server.notify('notifications/tools/list_changed');
    await until(() => section.tools().length === 2, { describe: 'the list is read again' });
    expect([before, namesOf(section)]).toEqual([
      ['github_create_issue'],
      ['github_create_issue', 'github_close_issue'],
    ]);
    expect(await rendered(section)).toContain('`github_close_issue`');
    expect(server.requested.filter((method) => method === 'initialize')).toHaveLength(1);
  });

  test('find the connections of the section in their context', async () => {
    const section = await connected({ servers: [tools('github', ['create_issue'])] });
    const { resources } = new PromptTemplate({ ns: 'n', key: 'k', sections: [section] }).bind();
    await using container = new ResourceContainer(resources);
    const pool = container.get(McpConnectionPool);
    expect(pool?.get('github')?.tools.map(({ name }) => name)).toEqual(['github_create_issue']);
    expect(pool?.get('unknown')).toBeUndefined();
  });
});

describe('one connection', () => {
  test('[S1.multiplex] serves several sections, and ends with the last of them', async () => {
    await using hub = new LocalHub();
    const { server, count } = counted();
    const first = await connected({ servers: [server], hub });
    const second = await connected({ servers: [server.with({ toolPrefix: 'gh' })], hub, key: 'other' });
    // A section that was never connected holds nothing.
    integrate({ servers: [server], hub, key: 'third' });
    expect([count(), namesOf(first), namesOf(second)]).toEqual([
      { started: 1, ended: 0 },
      ['github_create_issue'],
      ['gh_create_issue'],
    ]);
    await first.disconnect();
    expect([count().ended, (await runFirst(second)).outcome]).toEqual([0, 'ok']);
    await second.disconnect();
    expect(count()).toEqual({ started: 1, ended: 1 });
  });

  test('[S1.multi-session] serves several sessions, each with its own events; never two principals', async () => {
    await using hub = new LocalHub();
    const { server, count } = counted();
    const [mine, yours] = [new Session(), new Session()];
    const heard: string[] = [];
    mine.dispatcher.subscribe('tool-invoked', ({ name }) => heard.push(`mine: ${name}`));
    yours.dispatcher.subscribe('tool-invoked', ({ name }) => heard.push(`yours: ${name}`));
    const first = await connected({ servers: [server], hub, session: mine });
    const second = first.clone({ session: yours });
    sections.push(second);
    await second.connect();
    await runFirst(first);
    await runFirst(second);
    expect([heard, count().started]).toEqual([['mine: github_create_issue', 'yours: github_create_issue'], 1]);
    await connected({ servers: [server], hub, session: new Session({ principal: 'someone-else' }) });
    expect(count().started).toBe(2);
  });
});

type Given<Fields extends object, Template extends string> = Omit<
  McpIntegrationOptions<Fields, Template>,
  'session'
> & {
  readonly session?: Session;
};

function integrate<Fields extends object = object, Template extends string = string>(
  options: Given<Fields, Template>,
): McpIntegrationSection<Fields, Template> {
  const section = new McpIntegrationSection<Fields, Template>({ session: new Session(), ...options });
  sections.push(section as unknown as McpIntegrationSection);
  return section;
}

async function connected<Fields extends object = object, Template extends string = string>(
  options: Given<Fields, Template>,
): Promise<McpIntegrationSection<Fields, Template>> {
  const section = integrate(options);
  await section.connect();
  return section;
}

/** A server in this process whose tools do nothing. */
function tools(name: string, names: readonly string[] = [], options: CommonOptions = {}): McpServer {
  return McpServer.sdk(name, () => new ScriptedServer(answers(names)), options);
}

function broken(): McpServer {
  return McpServer.stdio('broken', 'a-command-that-does-not-exist');
}

/** A server that knows how often it was started and ended. */
function counted(): { readonly server: McpServer; readonly count: () => object & { started: number; ended: number } } {
  const count = { started: 0, ended: 0 };
  const server = McpServer.sdk('github', () => {
    count.started += 1;
    const scripted = new ScriptedServer(answers(['create_issue']));
    const close = scripted.close.bind(scripted);
    return Object.assign(scripted, {
      close: async () => {
        count.ended += 1;
        await close();
      },
    });
  });
  return { server, count: () => ({ ...count }) };
}

function answers(names: readonly (string | readonly [string, string])[]): Record<string, () => JsonObject> {
  return {
    'tools/list': () => ({
      tools: names.map((name) => (typeof name === 'string' ? described(name) : described(...name))),
    }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  };
}

function described(name: string, description?: string): JsonObject {
  return { name, inputSchema: { type: 'object' }, ...(typeof description === 'string' && { description }) };
}

function namesOf(section: { tools(): readonly { readonly name: string }[] }): readonly string[] {
  return section.tools().map(({ name }) => name);
}

async function runFirst(section: Pick<McpIntegrationSection, 'tools'>): Promise<{ readonly outcome: string }> {
  const [tool] = section.tools();
  if (!tool || !('run' in tool)) throw new Error('there is no tool');
  return tool.run();
}

async function rendered(section: McpIntegrationSection): Promise<string> {
  return (await new PromptTemplate({ ns: 'n', key: 'k', sections: [section] }).bind().render()).text;
}
