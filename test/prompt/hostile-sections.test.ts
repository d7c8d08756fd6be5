import { describe, expect, test } from 'vitest';
import { AgentRun, Hub, MarkdownSection, McpServer } from '../../src/index.ts';
import type { JsonObject } from '../../src/index.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { HeldAnswer, ScriptedServer } from '../fixtures/scripted-server.ts';
import { until } from '../fixtures/until.ts';
import { hubKnowing } from './known-catalogs.ts';
import { answers, closed, namesOf, native, open, promptOf, said, scripted, texts, unsummed } from './run-sections.ts';

const TOOLS: Readonly<Record<string, readonly string[]>> = { git: ['git_diff'], web: ['search'], none: [] };

describe('while a section is opened', () => {
  test('another call that ends meanwhile does not close it again', async () => {
    const held = new HeldAnswer();
    const slow = scripted('slow', ['go'], { initialize: held.answer });
    const section = new MarkdownSection({ ...texts('slow'), visibility: 'summary', mcps: [slow.server] });
    const other = new MarkdownSection({ ...texts('other'), tools: [native('quick')] });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section, other), { hub });
    const opening = run.call('open_sections', { section_keys: ['slow'], reason: '' });
    await until(() => slow.scripted.requested.includes('initialize'), { describe: 'the server is being started' });
    expect(await run.call('quick')).toMatchObject({ outcome: 'ok' });
    held.give(initialized());
    const report = await opening;
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(said(report)).toContain('"name":"mcp__slow__go"');
    expect(namesOf(run)).toContain('mcp__slow__go');
    expect(await run.call('mcp__slow__go')).toMatchObject({ outcome: 'ok' });
  });

  test('giving up leaves it closed, with no server, and the next one opens as if nothing had been', async () => {
    const started: ScriptedServer[] = [];
    const server = McpServer.sdk('slow', () => {
      const never = { initialize: () => new Promise<JsonObject>(() => undefined) };
      started.push(new ScriptedServer({ ...answers(['go']), ...(started.length === 0 && never) }));
      return started.at(-1) as ScriptedServer;
    });
    const section = new MarkdownSection({
      ...texts('slow'),
      visibility: 'summary',
      mcps: [server],
      tools: [native('hidden')],
    });
    await using hub = hubKnowing((name) => (name === 'slow' ? undefined : TOOLS[name]));
    await using run = await AgentRun.open(promptOf(section, closed('git')), { hub });
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const opening = run.call('open_sections', { section_keys: ['slow'], reason: '' }, { signal });
    const next = run.call('open_sections', { section_keys: ['git'], reason: '' });
    await until(() => started[0]?.requested.includes('initialize') ?? false, { describe: 'the server is starting' });
    giveUp.abort();
    expect(await opening).toMatchObject({ outcome: 'cancelled' });
    expect(await next).toMatchObject({ outcome: 'ok' });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'mcp__git__git_diff']);
    expect(run.hub.servers().map(({ name }) => name)).toEqual(['git']);
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['slow']);
    expect(await run.call('hidden')).toMatchObject({ outcome: 'invalid' });
    await run.call('open_sections', { section_keys: ['slow'], reason: '' });
    expect(namesOf(run).slice(3)).toEqual(['hidden', 'mcp__slow__go']);
  });

  test('giving up a run that is being opened leaves no run and no server', async () => {
    const slow = scripted('slow', ['go'], { initialize: () => new Promise(() => undefined) });
    const section = new MarkdownSection({ ...texts('slow'), mcps: [slow.server] });
    await using hub = new Hub();
    const giveUp = new AbortController();
    const opening = AgentRun.open(promptOf(section), { hub, signal: giveUp.signal });
    await until(() => slow.scripted.requested.includes('initialize'), { describe: 'the server is starting' });
    giveUp.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
  });

  test('a server that crashes at its first list is started once more', async () => {
    let crashes = 0;
    const server = McpServer.sdk('shaky', () => {
      const isFirst = crashes === 0;
      crashes += 1;
      const shaky = new ScriptedServer({
        ...answers(['go']),
        ...(isFirst && {
          'tools/list': async () => {
            await shaky.close();
            return new Promise(() => undefined);
          },
        }),
      });
      return shaky;
    });
    const section = new MarkdownSection({ ...texts('shaky'), visibility: 'summary', mcps: [server] });
    await using hub = new Hub({ random: () => 0 });
    await using run = await AgentRun.open(promptOf(section), { hub });
    const report = await run.call('open_sections', { section_keys: ['shaky'], reason: '' });
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(said(report)).toContain('"name":"mcp__shaky__go"');
    expect(run.rendered.closedSections).toEqual([]);
    expect(await run.call('mcp__shaky__go')).toMatchObject({ outcome: 'ok' });
    expect(namesOf(run)).toContain('mcp__shaky__go');
  });
});

describe('servers', () => {
  test('a list that changes between opening and calling decides on the call', async () => {
    const names = ['old', 'kept'];
    const { server, scripted: live } = scripted('live', names);
    const section = new MarkdownSection({ ...texts('live'), visibility: 'summary', mcps: [server] });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section), { hub });
    await run.call('open_sections', { section_keys: ['live'], reason: '' });
    const before = namesOf(run);
    names.splice(0, 1, 'fresh');
    await live.notify('notifications/tools/list_changed');
    await until(() => namesOf(run).includes('mcp__live__fresh'), { describe: 'the list is read again' });
    expect(before).toEqual(['open_sections', 'search_tools', 'mcp__live__old', 'mcp__live__kept']);
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'mcp__live__kept', 'mcp__live__fresh']);
    expect(await run.call('mcp__live__old')).toMatchObject({ outcome: 'invalid' });
    expect(await run.call('mcp__live__fresh')).toMatchObject({ outcome: 'ok' });
    expect(said(await run.call('search_tools', { query: 'fresh' }))).toContain('mcp__live__fresh');
    expect(said(await run.call('search_tools', { query: 'select:mcp__live__old' }))).toContain('Nothing fits');
  });

  test('of which one has no tools are told as such, and opened without a word of failure', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(unsummed('none')), { hub });
    expect(run.text).toContain('- none: None section. no tools');
    const report = await run.call('open_sections', { section_keys: ['none'], reason: '' });
    expect(said(report)).toContain('It brings no new tools.');
    expect(said(report)).not.toContain('could not be started');
  });

  test('that share a name and are not the same are never taken for one another', async () => {
    const other = scripted('web', ['fetch_page']);
    const section = new MarkdownSection({
      title: 'Other',
      key: 'other',
      template: 'B',
      mcps: [other.server],
      visibility: 'summary',
    });
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(unsummed('web'), section), { hub });
    expect(run.text.split('\n').slice(1)).toEqual([
      '- web: Web section. 1 tool: search',
      '- other: tools unknown until opened',
    ]);
    await run.call('open_sections', { section_keys: ['other'], reason: '' });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'mcp__web__fetch_page']);
  });

  test('a native tool that takes the name of a hidden one hides nothing for good', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const native_ = new MarkdownSection({ ...texts('native'), tools: [native('mcp__git__git_diff')] });
    await using run = await AgentRun.open(promptOf(native_, closed('git')), { hub });
    const report = await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(report.outcome).toBe('ok');
    expect(new Set(namesOf(run)).size).toBe(namesOf(run).length);
  });
});

describe('functions of authors', () => {
  test('a choice that is a rejected promise is refused by name, and ends no process', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const rejects = (() => Promise.reject(new Error('later'))) as unknown as () => boolean;
      const section = new MarkdownSection({ ...texts('a'), enabled: rejects });
      await expect(promptOf(section).render()).rejects.toThrow("section 'a': enabled must give true or false");
      await expect(promptOf(section).renderSection('a')).rejects.toThrow(
        "section 'a': enabled must give true or false",
      );
      const chooses = new MarkdownSection({ ...texts('b'), visibility: rejects as unknown as () => 'full' });
      await expect(promptOf(chooses).render()).rejects.toThrow("section 'b': visibility must give 'full'");
      const outer = new MarkdownSection({ ...texts('c'), visibility: 'summary', children: [section] });
      const [hidden] = (await promptOf(outer).render()).closedSections;
      expect(hidden?.contents()).toMatchObject([{ path: 'c' }, { path: 'c.a', unknown: expect.any(Error) }]);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', listen);
    }
    expect(unhandled).toEqual([]);
  });

  test('a selector that throws fails the opening, which says where, and leaves all as it was', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const child = open('web', {
      visibility: () => {
        throw new Error('no idea');
      },
    });
    const section = new MarkdownSection({ ...texts('a'), visibility: 'summary', children: [child] });
    await using run = await AgentRun.open(promptOf(section, closed('git')), { hub });
    expect(await run.call('open_sections', { section_keys: ['a'], reason: '' })).toMatchObject({
      outcome: 'tool-error',
      message: expect.stringContaining("section 'a.web': visibility failed: no idea"),
    });
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['a', 'git']);
    expect(await run.call('open_sections', { section_keys: ['git'], reason: '' })).toMatchObject({ outcome: 'ok' });
  });

  test('a selector that throws only after a call does not lose the report of that call', async () => {
    const logger = new RecordingLogger();
    await using hub = hubKnowing((server) => TOOLS[server]);
    let isBroken = false;
    let times = 0;
    const moody = new MarkdownSection({
      ...texts('moody'),
      visibility: () => {
        if (isBroken) throw new Error('no idea');
        return 'full';
      },
    });
    const breaks = { name: 'breaks', onResult: () => void (isBroken = times++ === 0) };
    await using run = await AgentRun.open(promptOf(moody, closed('git')), {
      hub,
      policies: [breaks],
      render: { logger },
    });
    const report = await run.call('open_sections', { section_keys: ['git'], reason: '' });
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { reason: expect.stringContaining('no idea') } }]);
    expect(namesOf(run)).not.toContain('mcp__git__git_diff');
    await run.call('search_tools', { query: 'anything' });
    expect(namesOf(run)).toContain('mcp__git__git_diff');
  });
});

function initialized(): JsonObject {
  return {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'scripted', version: '1.0.0' },
  };
}
