import { describe, expect, test } from 'vitest';
import {
  AgentRun,
  evaluate,
  Hub,
  MarkdownSection,
  McpIntegrationSection,
  Session,
  setVisibility,
} from '../../src/index.ts';
import type { Model, ModelRequest } from '../../src/index.ts';
import { until } from '../fixtures/until.ts';
import { unstartable } from './known-catalogs.ts';
import { closed, namesOf, native, promptOf, said, scripted, texts } from './run-sections.ts';

describe('an integration section in a run', () => {
  test('[S1.hot-reload] follows the list of its server', async () => {
    const names = ['old'];
    const { server, scripted: live } = scripted('live', names);
    const session = new Session();
    await using section = await McpIntegrationSection.open({ servers: [server], session });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section, closed('git')), { hub, session });
    names.push('fresh');
    await live.notify('notifications/tools/list_changed');
    await until(() => namesOf(run).includes('live_fresh'), { describe: 'the new tool is offered' });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'live_old', 'live_fresh']);
    expect(await run.call('live_fresh')).toMatchObject({ outcome: 'ok' });
    expect(said(await run.call('search_tools', { query: 'select:live_fresh' }))).toContain('live_fresh');
  });

  test('tells what it costs while it is closed and not connected', async () => {
    const session = new Session();
    const { server } = scripted('live', ['go']);
    await using section = new McpIntegrationSection({
      servers: [server],
      session,
      summary: 'S',
      visibility: 'summary',
    });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section), { hub, session });
    expect((await run.tokens()).sections).toEqual([
      { path: 'mcp.integrations', tools: 0, tokens: 0, unknown: ['mcp.integrations'] },
    ]);
    await run.call('open_sections', { section_keys: ['mcp.integrations'], reason: '' });
    expect((await run.tokens()).sections).toMatchObject([{ path: 'mcp.integrations', tools: 1, unknown: [] }]);
  });

  test.each(['append', 'restart'] as const)('is opened by a model and used, with %s', async (expansion) => {
    const session = new Session();
    const { server } = scripted('live', ['go']);
    await using section = new McpIntegrationSection({
      servers: [server],
      session,
      key: 'live',
      summary: 'S',
      visibility: 'summary',
    });
    await using hub = new Hub();
    const seen: string[][] = [];
    const model: Model = {
      respond: ({ tools }: ModelRequest) => {
        seen.push(tools.map(({ name }) => name));
        if (tools.some(({ name }) => name === 'live_go')) return Promise.resolve({ text: 'done' });
        const toolCalls = [{ name: 'open_sections', arguments: { section_keys: ['live'], reason: '' } }];
        return Promise.resolve({ toolCalls });
      },
    };
    expect(await evaluate(promptOf(section), model, { hub, session, expansion, maxTurns: 3 })).toMatchObject({
      text: 'done',
      turns: 2,
    });
  });

  test('that a session has opened before is connected, and left closed with a way to try again if it cannot be', async () => {
    const session = new Session();
    setVisibility(session, 'live', 'full');
    setVisibility(session, 'gone', 'full');
    const { server } = scripted('live', ['go']);
    const options = { session, summary: 'S', visibility: 'summary' } as const;
    await using live = new McpIntegrationSection({ ...options, servers: [server], key: 'live' });
    await using gone = new McpIntegrationSection({ ...options, servers: [unstartable('gone')], key: 'gone' });
    await using hub = new Hub({ random: () => 0 });
    await using run = await AgentRun.open(promptOf(live, gone), { hub, session });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'live_go']);
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['gone']);
    expect(await run.call('open_sections', { section_keys: ['gone'], reason: '' })).toMatchObject({
      message: expect.stringContaining("Section 'gone' cannot be opened"),
    });
  });

  test('within a closed section that pins a tool leaves that tool in sight, governed by its section', async () => {
    const session = new Session();
    const { server } = scripted('live', ['go']);
    await using inner = new McpIntegrationSection({ servers: [server], session, key: 'inner' });
    const outer = new MarkdownSection({
      ...texts('outer'),
      visibility: 'summary',
      children: [inner],
      tools: [native('kept')],
      pin: ['kept'],
      policies: [{ name: 'never', check: () => ({ kind: 'deny', reason: 'never' }) }],
    });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(outer), { hub, session });
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'kept']);
    expect(await run.call('kept')).toMatchObject({ outcome: 'denied', message: 'never' });
    await run.call('open_sections', { section_keys: ['outer.inner'], reason: '' });
    expect(await run.call('live_go')).toMatchObject({ outcome: 'denied', message: 'never' });
  });

  test('is connected when the section around it is opened, unless it stays closed; one that cannot be does not keep the rest', async () => {
    const session = new Session();
    const live = scripted('live', ['go']);
    const idle = scripted('idle', ['go']);
    await using first = new McpIntegrationSection({ servers: [live.server], session, key: 'first' });
    await using second = new McpIntegrationSection({
      servers: [idle.server],
      session,
      key: 'second',
      visibility: 'summary',
    });
    await using third = new McpIntegrationSection({ servers: [unstartable('gone')], session, key: 'third' });
    const outer = new MarkdownSection({ ...texts('outer'), visibility: 'summary', children: [first, second, third] });
    await using hub = new Hub({ random: () => 0 });
    await using run = await AgentRun.open(promptOf(outer), { hub, session });
    const report = await run.call('open_sections', { section_keys: ['outer'], reason: '' });
    expect(report).toMatchObject({ outcome: 'ok' });
    expect(said(report)).toContain("Section 'outer.third' cannot be opened");
    expect(said(report)).toContain('"name":"live_go"');
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools', 'live_go']);
    expect(idle.scripted.requested).toEqual([]);
    const left = ['outer.second', 'outer.third'];
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(left);
    await first.disconnect();
    await using next = await AgentRun.open(promptOf(outer), { hub, session });
    expect(namesOf(next)).toEqual(['open_sections', 'search_tools', 'live_go']);
    expect(next.rendered.closedSections.map(({ path }) => path)).toEqual(left);
  });

  test('is disconnected again with an opening that is rolled back, unless it was connected before', async () => {
    const session = new Session();
    const options = { session, summary: 'S', visibility: 'summary' } as const;
    const [one, two] = [scripted('one', ['go']), scripted('two', ['go'])];
    await using fresh = new McpIntegrationSection({ ...options, servers: [one.server], key: 'fresh' });
    await using held = await McpIntegrationSection.open({ ...options, servers: [two.server], key: 'held' });
    const late = { name: 'late', onResult: () => Promise.reject(new Error('no')) };
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(fresh, held), { hub, session, policies: [late] });
    const report = await run.call('open_sections', { section_keys: ['fresh', 'held'], reason: '' });
    expect(report.success).toBe(false);
    expect(one.scripted.requested).toContain('tools/list');
    expect([fresh.connected, held.connected]).toEqual([false, true]);
    expect(namesOf(run)).toEqual(['open_sections', 'search_tools']);
  });

  test('is closed by auto mode while nothing is known of it', async () => {
    const session = new Session();
    const { server } = scripted('live', ['go']);
    await using section = new McpIntegrationSection({ servers: [server], session });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section), { hub, session, disclosure: 'auto' });
    expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(['mcp.integrations']);
  });
});
