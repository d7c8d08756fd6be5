import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineTool } from '../bridge/native-tool.ts';
import { McpServer } from '../config/server.ts';
import { MarkdownSection } from './markdown-section.ts';
import { PromptTemplate } from './prompt-template.ts';
import type { SectionVisibility } from './visibility.ts';

/** A section as the property sees it; keys are unique, so that a text can be searched for them. */
interface Tree {
  readonly enabled: boolean;
  readonly visibility: SectionVisibility;
  readonly children: readonly Tree[];
}

interface Block {
  readonly heading: string;
  readonly shows: 'body' | 'summary';
  readonly key: string;
}

const forest: fc.Arbitrary<readonly Tree[]> = treesOfDepth(4);

function treesOfDepth(depth: number): fc.Arbitrary<readonly Tree[]> {
  return fc.array(
    fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      visibility: fc.constantFrom<SectionVisibility>('full', 'full', 'summary'),
      children: depth === 1 ? fc.constant([]) : treesOfDepth(depth - 1),
    }),
    { maxLength: 3 },
  );
}

/** A key that says where the section is, with a dot in it. */
function keyOf(numbers: readonly number[]): string {
  return `k.${numbers.join('-')}`;
}

function toSections(trees: readonly Tree[], above: readonly number[] = []): readonly MarkdownSection[] {
  return trees.map(({ enabled, visibility, children }, position) => {
    const numbers = [...above, position + 1];
    const key = keyOf(numbers);
    return new MarkdownSection({
      title: `Title ${key}`,
      key,
      template: `body ${key}`,
      summary: `summary ${key}`,
      enabled: () => enabled,
      visibility,
      tools: [defineTool({ name: toolOf(key), description: '', params: { type: 'object' }, handler: () => '' })],
      mcps: [McpServer.http(toolOf(key), 'https://example.com')],
      policies: [{ name: key }],
      children: toSections(children, numbers),
    });
  });
}

function toolOf(key: string): string {
  return key.replaceAll('.', '_');
}

/** What must be seen, said a second time and in another way: top down over the trees. */
function expected(
  trees: readonly Tree[],
  above: readonly number[] = [],
  path: readonly string[] = [],
): readonly Block[] {
  return trees.flatMap(({ enabled, visibility, children }, position) => {
    if (!enabled) return [];
    const numbers = [...above, position + 1];
    const key = keyOf(numbers);
    const own = [...path, key];
    const heading = `${'#'.repeat(numbers.length + 1)} ${numbers.join('.')}. Title ${key} (${own.join('.')})`;
    if (visibility === 'summary') return [{ heading, shows: 'summary', key }];
    return [{ heading, shows: 'body', key }, ...expected(children, numbers, own)];
  });
}

test('[S0.rendered-mcps, S0.summary-hides, S0.disabled-hides] any tree shows its open sections in order, and nothing of hidden ones', async () => {
  const holds = fc.asyncProperty(forest, async (trees) => {
    const template = new PromptTemplate({ ns: 'tests', key: 'trees', sections: toSections(trees) });
    const rendered = await template.bind().render();
    const blocks = expected(trees);
    const open = blocks.filter(({ shows }) => shows === 'body').map(({ key }) => key);
    const closed = blocks.filter(({ shows }) => shows === 'summary').map(({ key }) => key);
    expect(rendered.text.split('\n').filter((line) => line.startsWith('#'))).toEqual(
      blocks.map(({ heading }) => heading),
    );
    expect(rendered.text.match(/^(?:body|summary) .*$/gm) ?? []).toEqual(
      blocks.map(({ shows, key }) => `${shows} ${key}`),
    );
    expect(rendered.tools.map(({ name }) => name)).toEqual(open.map(toolOf));
    expect(rendered.mcps.map(({ name }) => name)).toEqual(open.map(toolOf));
    expect(rendered.policies.map(({ policy }) => policy.name)).toEqual(open);
    expect(rendered.closedSections.map(({ path }) => template.findSection(path)?.key)).toEqual(closed);
  });
  await fc.assert(holds);
});

test('opening every section shows all that is enabled, whatever was closed', async () => {
  const holds = fc.asyncProperty(forest, async (trees) => {
    const prompt = new PromptTemplate({ ns: 'tests', key: 'trees', sections: toSections(trees) }).bind();
    const opened = Object.fromEntries(prompt.paths.map((path) => [path, 'full' as const]));
    const rendered = await prompt.render({ visibility: opened });
    const asOpen = (nodes: readonly Tree[]): readonly Tree[] =>
      nodes.map((node) => ({ ...node, visibility: 'full', children: asOpen(node.children) }));
    expect(rendered.tools.map(({ name }) => name)).toEqual(expected(asOpen(trees)).map(({ key }) => toolOf(key)));
    expect(rendered.closedSections).toEqual([]);
  });
  await fc.assert(holds);
});

test('what a closed section says it holds is what opening everything within it brings', async () => {
  const holds = fc.asyncProperty(forest, async (trees) => {
    const prompt = new PromptTemplate({ ns: 'tests', key: 'trees', sections: toSections(trees) }).bind();
    const opened = Object.fromEntries(prompt.paths.map((path) => [path, 'full' as const]));
    for (const closed of (await prompt.render()).closedSections) {
      const brought = await prompt.renderSection(closed.path, { visibility: opened });
      expect(closed.contents().flatMap(({ tools }) => tools)).toEqual(brought.tools);
      expect(closed.contents().flatMap(({ mcps }) => mcps)).toEqual(brought.mcps);
    }
  });
  await fc.assert(holds);
});

test('a section is looked at once per rendering, however many there are', async () => {
  let looks = 0;
  const count = (): boolean => {
    looks += 1;
    return true;
  };
  const wide = (depth: number): readonly MarkdownSection[] =>
    Array.from({ length: depth === 0 ? 0 : 10 }, (_, index) => {
      const children = wide(depth - 1);
      return new MarkdownSection({ title: 'T', key: `s${index}`, template: '', enabled: count, children });
    });
  const prompt = new PromptTemplate({ ns: 'tests', key: 'wide', sections: wide(3) }).bind();
  await prompt.render();
  expect([looks, prompt.paths.length]).toEqual([1110, 1110]);
});
