import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentRun, Hub, MarkdownSection, McpServer, Session } from '../../src/index.ts';
import type { JsonObject, SectionTool } from '../../src/index.ts';
import { definitionText } from '../../src/prompt/disclosure/definition-text.ts';
import { countTokens } from '../../src/prompt/disclosure/token-counter.ts';
import { toTokens } from '../../src/prompt/prompt-tokens.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { until } from '../fixtures/until.ts';
import { hubKnowing, unstartable } from './known-catalogs.ts';
import { closed, namesOf, native, open, promptOf, said, texts } from './run-sections.ts';

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  git: ['git_diff', 'git_log', 'git_show'],
  web: ['search', 'fetch_page'],
};
const GIT = ['mcp__git__git_diff', 'mcp__git__git_log', 'mcp__git__git_show'];
const OPENING = ['open_sections', 'search_tools'];
const openGit = { section_keys: ['git'], reason: '' };

describe('definitions that are held back', () => {
  test('are those of sections that cost more than the limit, and none of one that just keeps it', async () => {
    const characters = (tools: readonly SectionTool[]): number =>
      tools.reduce((sum, tool) => sum + definitionText(tool).length, 0);
    const tools = [native('one'), native('two')];
    const limit = toTokens(characters(tools));
    for (const [definitionTokens, shown] of [
      [limit, ['one', 'two']],
      [limit - 1, []],
    ] as const) {
      await using hub = new Hub();
      const section = new MarkdownSection({ ...texts('git'), visibility: 'summary', tools });
      await using run = await AgentRun.open(promptOf(section), { hub, definitionTokens });
      await run.call('open_sections', openGit);
      expect(namesOf(run)).toEqual([...OPENING, ...shown]);
    }
  });

  test('come for all that are selected at once, and for no others', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git')), { hub, definitionTokens: 0 });
    await run.call('open_sections', openGit);
    const report = await run.call('search_tools', { query: 'select:git_show,mcp__git__git_diff' });
    expect(
      said(report)
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line).name),
    ).toEqual(['mcp__git__git_diff', 'mcp__git__git_show']);
    expect(namesOf(run)).toEqual([...OPENING, 'mcp__git__git_diff', 'mcp__git__git_show']);
    const again = await run.call('search_tools', { query: 'select:git_show' });
    expect(said(again)).toBe('- mcp__git__git_show: Does git show.');
    await run.call('search_tools', { query: 'log' });
    expect(namesOf(run)).not.toContain('mcp__git__git_log');
  });

  test('come with a call by name, which is validated as any other', async () => {
    const { server } = typed();
    const section = new MarkdownSection({ ...texts('git'), visibility: 'summary', mcps: [server] });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section), { hub, definitionTokens: 0 });
    await run.call('open_sections', openGit);
    expect(namesOf(run)).toEqual(OPENING);
    expect(await run.call('mcp__git__show', { count: 'many' })).toMatchObject({
      outcome: 'invalid',
      message: expect.stringContaining('count'),
    });
    expect(namesOf(run)).toEqual([...OPENING, 'mcp__git__show']);
    expect(said(await run.call('mcp__git__show', { count: 2 }))).toBe('shown');
    expect(said(await run.call({ server: 'git', tool: 'diff' }, { count: 2 }))).toBe('shown');
    expect(namesOf(run)).toEqual([...OPENING, 'mcp__git__show', 'mcp__git__diff']);
  });

  test('follow the list of their server', async () => {
    const { server, scripted, tools } = typed();
    const section = new MarkdownSection({ ...texts('git'), visibility: 'summary', mcps: [server] });
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(section), { hub, definitionTokens: 0 });
    await run.call('open_sections', openGit);
    // One goes, one is changed, one is new.
    tools.splice(0, 2, { name: 'diff', description: 'Now compares.', inputSchema: { type: 'object' } });
    tools.push({ name: 'blame', description: 'Blames.', inputSchema: { type: 'object' } });
    await scripted.notify('notifications/tools/list_changed');
    await until(() => namesOf(run).includes('mcp__git__blame'), { describe: 'the list is read again' });
    // Nobody has told the model of what is new, so it is shown.
    expect(namesOf(run)).toEqual([...OPENING, 'mcp__git__blame']);
    const selected = said(await run.call('search_tools', { query: 'select:diff,show' }));
    expect(selected).toContain('"description":"Now compares."');
    expect(selected).not.toContain('mcp__git__show');
    expect(await run.call('mcp__git__show')).toMatchObject({ outcome: 'invalid' });
  });

  test('are never those of pinned tools', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const section = new MarkdownSection({
      ...texts('git'),
      visibility: 'summary',
      mcps: [unstartable('git').with({ pin: ['git_log'] }), unstartable('web')],
      tools: [native('kept'), native('large')],
      pin: ['kept'],
    });
    await using run = await AgentRun.open(promptOf(section), { hub, definitionTokens: 0 });
    const pinned = [...OPENING, 'kept', 'mcp__git__git_log'];
    expect(namesOf(run)).toEqual(pinned);
    const opened = said(await run.call('open_sections', openGit));
    expect(namesOf(run)).toEqual(pinned);
    expect(opened).toContain('(5)');
    expect(opened).not.toContain('- kept:');
  });

  test('are forgotten with an opening that is rolled back', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    let isBroken = true;
    const late = { name: 'late', onResult: () => (isBroken ? Promise.reject(new Error('no')) : undefined) };
    const prompt = promptOf(closed('git'), closed('web'));
    const both = { section_keys: ['git', 'web'], reason: '' };
    await using run = await AgentRun.open(prompt, { hub, policies: [late], definitionTokens: 110 });
    expect(await run.call('open_sections', both)).toMatchObject({ success: false });
    isBroken = false;
    // Alone it is small.
    expect(said(await run.call('open_sections', openGit))).toContain('Tools you can call now (3)');
    expect(namesOf(run)).toEqual([...OPENING, ...GIT]);
  });

  test('stay held back in the next run of the session, or of a clone of it, which tells their names', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const session = new Session();
    const prompt = promptOf(closed('git'), open('web'));
    const options = { hub, definitionTokens: 0 };
    const snapshot = await (async () => {
      await using run = await AgentRun.open(prompt, { ...options, session });
      await run.call('open_sections', openGit);
      return session.snapshot();
    })();
    const restored = new Session();
    restored.restore(snapshot);
    for (const next of [session, session.clone(), restored]) {
      await using run = await AgentRun.open(prompt, { ...options, session: next });
      expect(namesOf(run)).toEqual(['search_tools', 'mcp__web__search', 'mcp__web__fetch_page']);
      expect(run.text).toContain('- mcp__git__git_log: Does git log.');
      expect(run.text).not.toContain('mcp__web__search');
      await run.call('search_tools', { query: 'select:git_log' });
      expect(namesOf(run).at(-1)).toBe('mcp__git__git_log');
    }
    await using roomy = await AgentRun.open(prompt, { hub, session });
    expect(namesOf(roomy)).toEqual([...GIT, 'mcp__web__search', 'mcp__web__fetch_page']);
  });

  test('are all shown where a policy refuses to select them', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    const session = new Session();
    {
      await using run = await AgentRun.open(promptOf(closed('git')), { hub, session });
      await run.call('open_sections', openGit);
    }
    const refuses = {
      name: 'no searching',
      admit: ({ name }: { name: string }) =>
        name === 'search_tools' ? ({ kind: 'deny', reason: 'no' } as const) : ({ kind: 'allow' } as const),
    };
    const options = { hub, session, definitionTokens: 0, policies: [refuses] };
    await using run = await AgentRun.open(promptOf(closed('git')), options);
    expect(namesOf(run)).toEqual(GIT);
  });

  test('are not counted as shown, and counted as held back', async () => {
    await using hub = hubKnowing((server) => TOOLS[server]);
    await using run = await AgentRun.open(promptOf(closed('git'), open('web')), { hub, definitionTokens: 0 });
    const count = await countTokens();
    const costOf = (): number => run.tools().reduce((sum, tool) => sum + count(definitionText(tool)), 0);
    const closedCost = await run.rendered.tokens;
    expect(closedCost).toMatchObject({ tools: costOf(), deferred: { tools: 0, tokens: 0 } });
    await run.call('open_sections', openGit);
    const held = await run.rendered.tokens;
    const ofGit = (held as unknown as { sections: { path: string; tokens: number }[] }).sections[0]?.tokens;
    expect(held).toMatchObject({ tools: closedCost.tools, deferred: { tools: 3, tokens: ofGit } });
    await run.call('search_tools', { query: 'select:git_log' });
    const after = await run.rendered.tokens;
    expect(after.tools).toBeGreaterThan(held.tools);
    expect(after).toMatchObject({ tools: costOf(), deferred: { tools: 2 } });
    expect(await run.tokens()).toEqual(after);
    expect(after.total).toBe(after.text + after.tools);
  });
});

test('whatever is opened, searched and called, each tool is reached by its name, and its definition by select', async () => {
  const step = fc.record({ kind: fc.constantFrom('open', 'search', 'select', 'call'), at: fc.nat({ max: 5 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 8 }),
      fc.constantFrom(0, 30, 60, 100, 2000),
      async (sizes, steps, definitionTokens) => {
        const toolsOf = (server: string): readonly string[] =>
          Array.from({ length: sizes[Number(server.slice(1))] ?? 0 }, (_, index) => `do_${server}_${index}`);
        const keys = sizes.map((_, index) => `s${index}`);
        const names = keys.flatMap((key) => toolsOf(key).map((name) => `mcp__${key}__${name}`));
        await using hub = hubKnowing(toolsOf);
        await using run = await AgentRun.open(promptOf(...keys.map((key) => closed(key))), { hub, definitionTokens });
        for (const { kind, at } of steps) {
          const key = keys[at % keys.length] ?? '';
          const name = names[at % Math.max(1, names.length)] ?? 'nothing';
          if (kind === 'open') await run.call('open_sections', { section_keys: [key], reason: '' });
          if (kind === 'search') await run.call('search_tools', { query: name, open: at % 2 === 0 });
          if (kind === 'select') await run.call('search_tools', { query: `select:${name}` });
          if (kind === 'call') await run.call(name);
        }
        const before = namesOf(run);
        await run.call('open_sections', { section_keys: keys, reason: 'all that is left' });
        for (const name of names) {
          // Its server cannot be started, which only a tool that is known finds out.
          expect(await run.call(name)).toMatchObject({ outcome: 'unavailable' });
          expect(namesOf(run)).toContain(name);
        }
        expect(namesOf(run).slice(0, before.length)).toEqual(before);
        if (names.length === 0) return;
        const found = said(await run.call('search_tools', { query: `select:${names.join(',')}` }));
        expect(names.filter((name) => !found.includes(`- ${name}:`))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

/** A server whose tools take a number. */
function typed(): { readonly server: McpServer; readonly scripted: ScriptedServer; readonly tools: JsonObject[] } {
  const inputSchema = { type: 'object', properties: { count: { type: 'integer' } } };
  const tools: JsonObject[] = [
    { name: 'show', description: 'Shows.', inputSchema },
    { name: 'diff', description: 'Compares.', inputSchema },
  ];
  const scripted = new ScriptedServer({
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'shown' }] }),
  });
  return { server: McpServer.sdk('git', scripted), scripted, tools };
}
