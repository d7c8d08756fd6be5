import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineTool, textOf, VisibilityOverrides } from '../../src/index.ts';
import { AgentRun } from '../../src/prompt/disclosure/agent-run.ts';
import { MarkdownSection } from '../../src/prompt/markdown-section.ts';
import { PromptTemplate } from '../../src/prompt/prompt-template.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import { hubKnowing, unstartable } from './known-catalogs.ts';

interface Tree {
  readonly isEnabled: boolean;
  readonly isClosed: boolean;
  readonly hasSummary: boolean;
  readonly hasNative: boolean;
  readonly hasServer: boolean;
  readonly children: readonly Tree[];
}

/** What each section has, and whether it is seen at the start. */
interface Expected {
  readonly path: string;
  readonly tools: readonly string[];
  readonly state: 'seen' | 'hidden' | 'disabled';
}

const forest = treesOfDepth(3);

function treesOfDepth(depth: number): fc.Arbitrary<readonly Tree[]> {
  return fc.array(
    fc.record({
      isEnabled: fc.constantFrom(true, true, true, false),
      isClosed: fc.boolean(),
      hasSummary: fc.boolean(),
      hasNative: fc.boolean(),
      hasServer: fc.boolean(),
      children: depth === 1 ? fc.constant([]) : treesOfDepth(depth - 1),
    }),
    { maxLength: 3 },
  );
}

test('[S0.summary-hides] no hidden tool is seen or can be called, whatever the tree', async () => {
  await fc.assert(
    fc.asyncProperty(forest, async (trees) => {
      const { prompt, expected } = build(trees);
      await using hub = hubKnowing(catalogOf);
      await using run = await AgentRun.open(prompt, { hub });
      const shown = run.tools().filter(({ name }) => !name.includes('section') && name !== 'search_tools');
      const seen = toolsIn(expected, 'seen');
      expect(shown.map(({ name }) => name).toSorted()).toEqual(seen.toSorted());
      for (const name of [...toolsIn(expected, 'hidden'), ...toolsIn(expected, 'disabled')]) {
        // A line may name tools by their servers' own names, which nobody can call.
        expect(run.text).not.toContain(`mcp__${name}`);
        expect((await run.call(name)).success).toBe(false);
      }
      for (const { path, state } of expected) expect(run.text.includes(`body ${path}|`)).toBe(state === 'seen');
    }),
    { numRuns: 60 },
  );
});

test('every hidden tool is reached by opening its section, and found by its name before, be its definition held back or not', async () => {
  await fc.assert(
    fc.asyncProperty(forest, fc.nat(), fc.constantFrom(0, 2000), async (trees, choice, definitionTokens) => {
      const { prompt, expected } = build(trees);
      const hidden = expected.filter(({ state, tools }) => state === 'hidden' && tools.length > 0);
      const chosen = hidden[choice % Math.max(1, hidden.length)];
      if (!chosen) return;
      await using hub = hubKnowing(catalogOf);
      await using run = await AgentRun.open(prompt, { hub, definitionTokens });
      const before = run.tools().map(({ name }) => name);
      for (const name of chosen.tools) {
        const found = await run.call('search_tools', { query: `select:${name}` });
        expect(textOf(found.content)).toContain(`- ${name} (closed section ${chosen.path})`);
      }
      const opened = await run.call('open_sections', { section_keys: [chosen.path], reason: 'chosen' });
      expect(opened.outcome).toBe('ok');
      const held = definitionTokens === 0 ? chosen.tools : [];
      expect(run.tools().filter(({ name }) => held.includes(name))).toEqual([]);
      if (held.length > 0) await run.call('search_tools', { query: `select:${held.join(',')}` });
      const after = run.tools().map(({ name }) => name);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after).toEqual(expect.arrayContaining([...chosen.tools]));
      expect(toolsIn(expected, 'disabled').filter((name) => after.includes(name))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('calls that open, fail to be kept, are given up or do something else at the same time leave in sight exactly what was kept', async () => {
  const keys = ['a', 'b', 'c', 'd'];
  const work = fc.record({
    kind: fc.constantFrom('open', 'give up', 'fail', 'search', 'call'),
    key: fc.constantFrom(...keys),
    turns: fc.nat({ max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { minLength: 2, maxLength: 8 }), async (all) => {
      await using hub = hubKnowing(catalogOf);
      const sections = keys.map(
        (key) =>
          new MarkdownSection({
            title: key,
            key,
            template: `body ${key}|`,
            visibility: 'summary',
            mcps: [unstartable(key)],
            tools: [
              defineTool({ name: `native-${key}`, description: '', params: { type: 'object' }, handler: () => '' }),
            ],
          }),
      );
      const refuses = {
        name: 'refuses',
        onResult: ({ arguments: { reason } }: { arguments: { reason?: unknown } }) =>
          reason === 'fail' ? Promise.reject(new Error('not kept')) : undefined,
      };
      const prompt = new PromptTemplate({ ns: 'tests', key: 'at-once', sections }).bind();
      await using run = await AgentRun.open(prompt, { hub, policies: [refuses] });
      const perform = async ({ kind, key, turns }: (typeof all)[number]): Promise<void> => {
        const giveUp = new AbortController();
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        const args = { section_keys: [key], reason: kind };
        if (kind === 'search') await run.call('search_tools', { query: `select:do_${key}`, open: turns % 2 === 0 });
        else if (kind === 'call') await run.call(`native-${key}`);
        else {
          const opening = run.call('open_sections', args, { signal: giveUp.signal });
          if (kind === 'give up') for (let turn = 0; turn < turns * 3; turn += 1) await Promise.resolve();
          if (kind === 'give up') giveUp.abort();
          await opening;
        }
      };
      await Promise.all(all.map(perform));
      const kept = run.session
        .slice(VisibilityOverrides)
        .all()
        .map(({ path }) => path);
      const own = keys.flatMap((key) => (kept.includes(key) ? [`mcp__${key}__do_${key}`, `native-${key}`] : []));
      const shown = run.tools().map(({ name }) => name);
      expect(shown.toSorted()).toEqual(['open_sections', 'search_tools', ...own].toSorted());
      expect(
        run.hub
          .servers()
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(kept.toSorted());
      expect(run.rendered.closedSections.map(({ path }) => path)).toEqual(keys.filter((key) => !kept.includes(key)));
    }),
    { numRuns: 60 },
  );
});

function build(trees: readonly Tree[]): { readonly prompt: Prompt; readonly expected: readonly Expected[] } {
  const expected: Expected[] = [];
  const sections = toSections(trees, { expected, above: '', state: 'seen' });
  return { prompt: new PromptTemplate({ ns: 'tests', key: 'trees', sections }).bind(), expected };
}

function toSections(
  trees: readonly Tree[],
  {
    expected,
    above,
    state,
  }: { readonly expected: Expected[]; readonly above: string; readonly state: Expected['state'] },
): readonly MarkdownSection[] {
  return trees.map(({ isEnabled, isClosed, hasSummary, hasNative, hasServer, children }, position) => {
    // Keys with dots, so that no path can be understood by splitting it.
    const key = `k.${position}`;
    const path = above === '' ? key : `${above}.${key}`;
    const id = path.replaceAll('.', '-');
    const own = ownState(state, isEnabled, isClosed);
    const tools = [...(hasNative ? [`native-${id}`] : []), ...(hasServer ? [`mcp__${id}__do_${id}`] : [])];
    expected.push({ path, tools, state: own });
    return new MarkdownSection({
      title: `Title ${path}`,
      key,
      template: `body ${path}|`,
      ...(hasSummary && { summary: `summary ${path}` }),
      enabled: () => isEnabled,
      visibility: isClosed ? 'summary' : 'full',
      tools: hasNative
        ? [defineTool({ name: `native-${id}`, description: '', params: { type: 'object' }, handler: () => 'done' })]
        : [],
      mcps: hasServer ? [unstartable(id)] : [],
      children: toSections(children, { expected, above: path, state: own }),
    });
  });
}

function ownState(above: Expected['state'], isEnabled: boolean, isClosed: boolean): Expected['state'] {
  if (above === 'disabled' || !isEnabled) return 'disabled';
  return above === 'hidden' || isClosed ? 'hidden' : 'seen';
}

function catalogOf(server: string): readonly string[] {
  return [`do_${server}`];
}

function toolsIn(expected: readonly Expected[], state: Expected['state']): readonly string[] {
  return expected.flatMap((section) => (section.state === state ? section.tools : []));
}
