import { describe, expect, test } from 'vitest';
import { Hub, McpServer, Session } from '../../src/index.ts';
import type { CallReport } from '../../src/index.ts';
import { AgentRun } from '../../src/prompt/disclosure/agent-run.ts';
import { MarkdownSection } from '../../src/prompt/markdown-section.ts';
import { setVisibility, VisibilityOverrides } from '../../src/prompt/visibility.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { hubKnowing, unstartable } from './known-catalogs.ts';
import { closed, namesOf, native, open, promptOf, said, texts, unsummed } from './run-sections.ts';

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  git: ['git_diff', 'git_log'],
  web: ['search', 'fetch_page'],
  mail: ['send', 'list_mails'],
};

describe('a run', () => {
  test('[S0.summary-hides] shows nothing of a closed section but its summary, and can open it', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git'), open('web')), { hub });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'mcp__web__search', 'mcp__web__fetch_page']);
    expect(run.hub.servers().map(({ name }) => name)).toEqual(['web']);
    expect(await run.call('mcp__git__git_diff')).toMatchObject({ outcome: 'invalid' });
    const text = run.text;
    const report = await run.call('open_sections', { section_keys: ['git'], reason: 'to see changes' });
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(said(report)).toContain('## 1. Git section (git)\n\nBody of git.');
    expect(said(report)).toContain('"name":"mcp__git__git_diff"');
    expect(run.text).toBe(text);
    expect(namesOf(run)).toEqual([
      'open_sections',
      'search_tools',
      'mcp__web__search',
      'mcp__web__fetch_page',
      'mcp__git__git_diff',
      'mcp__git__git_log',
    ]);
    expect(run.rendered.text).toContain('Body of git.');
    expect(run.session.slice(VisibilityOverrides).all()).toEqual([{ path: 'git', visibility: 'full' }]);
  });

  test('tells sections without a summary in one list, with the names of known tools', async () => {
    await using hub = hubKnowing((server) => (server === 'mail' ? undefined : TOOLS[server]));
    const prompt = promptOf(unsummed('git', 'Reads repositories. Much more.'), unsummed('web'), unsummed('mail'));
    await using run = await AgentRun.open(prompt, { hub });
    expect(run.text.split('\n')).toEqual([
      'Closed sections, by key. Call `open_sections` with keys (several at once) to get their tools; `search_tools` finds tools in all of them.',
      '- git: Git section, Reads repositories. 2 tools: git_diff, git_log',
      '- web: Web section. 2 tools: search, fetch_page',
      '- mail: Mail section. tools unknown until opened',
    ]);
  });

  test('opens several sections at once, skips those that are open, and says when all are', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git'), closed('web'), open('mail')), { hub });
    const opened = await run.call('open_sections', { section_keys: ['git', 'web', 'mail'], reason: 'all' });
    expect(said(opened)).toMatch(/^Already open: mail\.\n\n## 1\. Git/);
    expect(run.hub.servers().map(({ name }) => name)).toEqual(['mail', 'git', 'web']);
    const again = await run.call('open_sections', { section_keys: ['git', 'web'], reason: 'all' });
    expect(again).toMatchObject({ outcome: 'tool-error', message: 'Already open: git, web. No section is closed.' });
    const unknown = await run.call('open_sections', { section_keys: ['nope'], reason: 'all' });
    expect(unknown.message).toBe("No section has the key 'nope'. No section is closed.");
  });

  test('[S0.disabled-hides] does not know of a section that is switched off, whether it is to be opened or read', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const off = open('web', { enabled: () => false });
    const outer = new MarkdownSection({ ...texts('outer'), visibility: 'summary', children: [off] });
    await using run = await AgentRun.open(promptOf(outer, closed('git'), open('mail', { enabled: () => false })), {
      hub,
    });
    for (const key of ['mail', 'outer.web']) {
      const report = await run.call('open_sections', { section_keys: [key, 'git'], reason: '' });
      expect(report.message).toBe(`No section has the key '${key}'. Closed sections: outer, git.`);
    }
    expect(await run.call('read_section', { section_key: 'mail' })).toMatchObject({ success: false });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools']);
  });

  test('opens a section by its whole path, dots in keys included, with the closed ones around it', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const inner = closed('git', { key: 'git.tools' });
    const middle = new MarkdownSection({ ...texts('middle'), visibility: 'summary', children: [inner] });
    const outer = new MarkdownSection({
      ...texts('mcp.outer'),
      visibility: 'summary',
      children: [middle, closed('web')],
    });
    await using run = await AgentRun.open(promptOf(outer), { hub });
    await run.call('open_sections', { section_keys: ['mcp.outer.middle.git.tools'], reason: 'deep' });
    expect(run.hub.servers().map(({ name }) => name)).toEqual(['git']);
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['mcp.outer.web']);
  });

  test('leaves a section open whose server does not start, and says so', async () => {
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(closed('git')), { hub });
    const opened: unknown[] = [];
    run.session.dispatcher.subscribe('sections-opened', (event) => opened.push(event));
    const progress: unknown[] = [];
    const report = await run.call(
      'open_sections',
      { section_keys: ['git'], reason: 'why' },
      { onProgress: (told) => progress.push(told) },
    );
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(said(report)).toContain("Server 'git' could not be started");
    expect(said(report)).toContain('a-command-that-does-not-exist');
    expect(progress).toEqual([{ progress: 1, total: 1, message: 'git could not be started' }]);
    expect(run.rendered.closedSections).toEqual([]);
    expect(opened).toMatchObject([{ sections: ['git'], reason: 'why', servers: ['git'], failed: ['git'] }]);
  });

  test('starts the servers of a section whose tools are not known', async () => {
    const server = new ScriptedServer({
      'tools/list': () => ({ tools: [{ name: 'now', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'noon' }] }),
    });
    await using hub = new Hub();
    const section = new MarkdownSection({
      ...texts('clock'),
      visibility: 'summary',
      mcps: [McpServer.sdk('clock', server)],
    });
    await using run = await AgentRun.open(promptOf(section), { hub });
    expect(server.requested).toEqual([]);
    await run.call('open_sections', { section_keys: ['clock'], reason: 'the time' });
    const tool = run.tools().find(({ name }) => name === 'mcp__clock__now');
    expect(said(await tool?.run())).toBe('noon');
  });

  test('finds tools of open and closed sections, by name and by words, and opens them on request', async () => {
    await using hub = hubKnowing((server) => (server === 'mail' ? undefined : TOOLS[server]));
    await using run = await AgentRun.open(promptOf(open('web'), closed('git'), closed('mail')), { hub });
    const search = async (query: string): Promise<string> => said(await run.call('search_tools', { query, limit: 1 }));
    expect(await search('git_log')).toMatch(/^- mcp__git__git_log \(closed section git\): Does git log\.\n/);
    expect(await search('select:mcp__web__search')).toBe('- mcp__web__search: Does search.');
    expect(await search('mail')).toMatch(/^- section mail \(closed, its tools are unknown until it is opened\)/);
    expect(await search('zebra')).toBe(
      "Nothing fits 'zebra'. Use other words for what the tool should do. Closed sections: git, mail.",
    );
    const opened = await run.call('search_tools', { query: 'select:git_log', open: true });
    expect(said(opened)).toContain('Body of git.');
    expect(namesOf(run)).toContain('mcp__git__git_log');
  });

  test('finds a tool by what is said of its server, open or closed', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const mcps = [unstartable('git', { description: 'Repositories of the harbour office.' })];
    const section = new MarkdownSection({ ...texts('git'), visibility: 'summary', mcps });
    await using run = await AgentRun.open(promptOf(section, open('web')), { hub });
    const search = async (): Promise<string> => said(await run.call('search_tools', { query: 'harbour', limit: 1 }));
    expect(await search()).toMatch(/^- mcp__git__git_diff \(closed section git\)/);
    await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(await search()).toBe('- mcp__git__git_diff: Does git diff.');
  });

  test('finds tools by meaning too, if it is given an embedder', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    // Letters are postal matters, whatever their words are.
    const isPostal = (text: string): boolean => /letter|mail/i.test(text);
    const asked: string[] = [];
    const embedder = {
      embed: (given: readonly string[]) => {
        asked.push(...given);
        return Promise.resolve(given.map((text) => new Float32Array(isPostal(text) ? [1, 0] : [0, 1])));
      },
    };
    await using run = await AgentRun.open(promptOf(open('web'), closed('git'), closed('mail')), { hub, embedder });
    const search = async (query: string): Promise<string> => said(await run.call('search_tools', { query, limit: 2 }));
    expect(await search('letters')).toMatch(/^- mcp__mail__list_mails .*\n- mcp__mail__send /);
    await run.call('open_sections', { section_keys: ['git'], reason: '' });
    await search('select:git_log');
    await search('letters');
    // What has not changed is not embedded again.
    expect(asked.filter((text) => text.includes('send'))).toHaveLength(1);
    await using plain = await AgentRun.open(promptOf(open('web'), closed('mail')), { hub });
    expect(said(await plain.call('search_tools', { query: 'letters' }))).toContain('Nothing fits');
  });

  test('tells a name and a line of the tools of a large section, and their definitions when they are asked for', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git'), closed('web')), { hub, definitionTokens: 10 });
    const opened = said(await run.call('open_sections', { section_keys: ['git'], reason: 'to see changes' }));
    expect(opened).toContain('- mcp__git__git_diff: Does git diff.');
    expect(opened).not.toContain('input_schema');
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools']);
    const selected = said(await run.call('search_tools', { query: 'select:git_log' }));
    expect(selected).toContain('"name":"mcp__git__git_log"');
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'mcp__git__git_log']);
    await run.call('mcp__git__git_diff');
    expect(namesOf(run).at(-1)).toBe('mcp__git__git_diff');
    const found = said(await run.call('search_tools', { query: 'select:fetch_page', open: true }));
    expect(found).toContain('"name":"mcp__web__fetch_page"');
    expect(namesOf(run).at(-1)).toBe('mcp__web__fetch_page');
  });

  test('reads a closed section that has no tools, with those within it', async () => {
    await using hub = new Hub();
    const child = new MarkdownSection(texts('details'));
    const guide = new MarkdownSection({ ...texts('guide'), visibility: 'summary', children: [child] });
    await using run = await AgentRun.open(promptOf(guide, closed('git')), { hub });
    expect(namesOf(run)).toEqual(['open_sections', 'read_section', 'search_tools']);
    const report = await run.call('read_section', { section_key: 'guide' });
    expect(said(report)).toBe(
      '## 1. Guide section (guide)\n\nBody of guide.\n\n### 1.1. Details section (guide.details)\n\nBody of details.',
    );
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['guide', 'git']);
    const refused = await run.call('read_section', { section_key: 'git' });
    expect(refused.message).toBe("Section 'git' has tools: call open_sections with its key.");
  });

  test('has no tools for opening when nothing is closed', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(open('git')), { hub });
    expect(namesOf(run)).toEqual(['mcp__git__git_diff', 'mcp__git__git_log']);
  });

  test('takes the policies of a section into force when it is opened, not before', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const section = new MarkdownSection({
      ...texts('git'),
      visibility: 'summary',
      mcps: [unstartable('git')],
      policies: [{ name: 'never', check: () => ({ kind: 'deny', reason: 'never' }) }],
      tools: [native('native')],
    });
    await using run = await AgentRun.open(promptOf(section), { hub });
    await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(await run.call('mcp__git__git_log')).toMatchObject({ outcome: 'denied', message: 'never' });
    expect(await run.call('native')).toMatchObject({ outcome: 'denied', message: 'never' });
  });

  test('closes again what was opened by a call that is rolled back', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const late = { name: 'late', onResult: () => Promise.reject(new Error('no')) };
    await using run = await AgentRun.open(promptOf(closed('git')), { hub, policies: [late] });
    const before = namesOf(run);
    const report = await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(report.success).toBe(false);
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['git']);
    expect(before).toEqual(['open_sections', 'search_tools']);
    expect(namesOf(run)).toEqual(before);
    expect(run.hub.servers()).toEqual([]);
  });

  test('shows everything when a policy refuses the tools that open', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const refuses = {
      name: 'no opening',
      admit: ({ source }: { source: string }) =>
        source === 'native' ? ({ kind: 'deny', reason: 'native' } as const) : ({ kind: 'allow' } as const),
    };
    await using run = await AgentRun.open(promptOf(closed('git')), { hub, policies: [refuses] });
    expect(namesOf(run)).toEqual(['mcp__git__git_diff', 'mcp__git__git_log']);
    expect(run.text).toContain('Body of git.');
  });

  test('does not close within a run what somebody closes in the session', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const session = new Session();
    await using run = await AgentRun.open(promptOf(open('git'), closed('web')), { hub, session });
    setVisibility(session, 'git', 'summary');
    await run.call('open_sections', { section_keys: ['web'], reason: '' });
    expect(namesOf(run)).toContain('mcp__git__git_diff');
    expect(namesOf(await AgentRun.open(promptOf(open('git'), closed('web')), { hub, session }))).not.toContain(
      'mcp__git__git_diff',
    );
  });

  test('opens what was given as closed', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const render = { visibility: { git: 'summary' } } as const;
    await using run = await AgentRun.open(promptOf(open('git')), { hub, render });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools']);
    await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(namesOf(run)).toContain('mcp__git__git_log');
  });

  test('runs calls that open at the same time one after the other', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git'), closed('web')), { hub });
    const openOne = (key: string): Promise<CallReport> =>
      run.call('open_sections', { section_keys: [key], reason: '' });
    const reports = await Promise.all([openOne('git'), openOne('web'), openOne('git')]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'tool-error']);
    expect(run.hub.servers().map(({ name }) => name)).toEqual(['git', 'web']);
  });

  test('keeps a name for the server that has it, when a section with another one is opened', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const other = McpServer.stdio('web', 'another-command');
    const section = new MarkdownSection({ ...texts('other'), visibility: 'summary', mcps: [other] });
    await using run = await AgentRun.open(promptOf(section, open('web')), { hub });
    const before = run.hub.servers();
    await run.call('open_sections', { section_keys: ['other'], reason: '' });
    expect(run.hub.servers()).toEqual(before);
  });

  test('keeps what is pinned in sight, with the policies of its closed section', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const never = { name: 'never', check: () => ({ kind: 'deny', reason: 'never' }) as const };
    const section = new MarkdownSection({
      ...texts('git'),
      visibility: 'summary',
      mcps: [
        unstartable('git').with({ pin: ['git_log'] }),
        unstartable('web').with({ pin: true }),
        unstartable('mail'),
      ],
      policies: [never],
      tools: [native('kept'), native('hidden')],
      pin: ['kept'],
    });
    await using run = await AgentRun.open(promptOf(section), { hub });
    const pinned = [
      'open_sections',
      'search_tools',
      'kept',
      'mcp__git__git_log',
      'mcp__web__search',
      'mcp__web__fetch_page',
    ];
    expect(namesOf(run)).toEqual(pinned);
    expect(run.text).not.toContain('Body of git');
    expect(await run.call('mcp__git__git_log')).toMatchObject({ outcome: 'denied' });
    expect(await run.call('mcp__git__git_diff')).toMatchObject({ outcome: 'invalid' });
    await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(namesOf(run)).toEqual([
      ...pinned,
      'hidden',
      'mcp__git__git_diff',
      'mcp__mail__send',
      'mcp__mail__list_mails',
    ]);
  });

  test('closes by itself only what is much, and nothing that an author chose', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    const prompt = promptOf(
      open('few', { visibility: 'full' }),
      new MarkdownSection({ ...texts('many'), mcps: [unstartable('many')] }),
    );
    const closedIn = async (count: number, contextWindow?: number): Promise<readonly string[]> => {
      await using hub = hubKnowing(() => many.slice(0, count));
      const options = { hub, disclosure: 'auto', ...(contextWindow !== undefined && { contextWindow }) } as const;
      await using run = await AgentRun.open(prompt, options);
      return run.rendered.closedSections.map(({ path }) => path);
    };
    expect([await closedIn(4), await closedIn(20), await closedIn(20, 1_000_000), await closedIn(20, 1000)]).toEqual([
      [],
      ['many'],
      [],
      ['many'],
    ]);
  });
});

test('tells what it costs, now and with everything open', async () => {
  await using hub = hubKnowing((server) => TOOLS[server]);
  await using run = await AgentRun.open(promptOf(open('web'), closed('git')), { hub });
  const before = await run.tokens();
  expect(before).toMatchObject({
    method: 'o200k_base',
    sections: [
      { path: 'web', tools: 2, unknown: [] },
      { path: 'git', tools: 2, unknown: [] },
    ],
  });
  expect(before.total).toBe(before.text + before.tools);
  await run.call('open_sections', { section_keys: ['git'], reason: '' });
  const after = await run.tokens();
  expect(after.tools).toBe(before.tools + (before.sections[1]?.tokens ?? 0));
  expect(after.allOpen).toEqual(before.allOpen);
});
