import { expect, test } from 'vitest';
import { defineTool } from '../bridge/native-tool.ts';
import { McpServer } from '../config/server.ts';
import { MarkdownSection } from './markdown-section.ts';
import { PromptTemplate } from './prompt-template.ts';

const tool = defineTool({
  name: 'look',
  description: 'Looks.',
  params: { type: 'object', properties: { at: { type: 'string', description: 'What to look at.' }, twice: true } },
  handler: () => 'seen',
});
const server = McpServer.npm('git', '@example/mcp-server-git');
const policy = { name: 'policy' };
const structuredOutput = { schema: { type: 'object' }, container: 'array' } as const;
const template = new PromptTemplate({
  ns: 'tests',
  key: 'prompt',
  sections: [
    new MarkdownSection({ title: 'A', key: 'a', template: 'Text.', tools: [tool], mcps: [server], policies: [policy] }),
    new MarkdownSection({ title: 'B', key: 'b', template: '', summary: 'S', visibility: 'summary' }),
  ],
  structuredOutput,
});

test('[S0.rendered-prompt] carries everything an adapter needs', async () => {
  const rendered = await template.bind().render({ deadline: 5000 });
  expect(rendered).toMatchObject({
    text: expect.stringContaining('## 1. A (a)\n\nText.'),
    tools: [tool],
    mcps: [server],
    policies: [{ policy, scope: { kind: 'section', section: 'a' } }],
    closedSections: [{ path: 'b' }],
    mcpTools: undefined,
    structuredOutput,
    deadline: 5000,
    toolParamDescriptions: { look: { at: 'What to look at.' } },
  });
  expect(rendered.descriptor).toBe(template.descriptor);
});

test('[S0.rendered-prompt] is immutable', async () => {
  const rendered = await template.bind().render();
  const lists = [rendered.tools, rendered.mcps, rendered.policies, rendered.closedSections];
  expect([rendered, ...lists].map((part) => Object.isFrozen(part))).toEqual([true, true, true, true, true]);
  expect(() => Object.assign(rendered, { text: '' })).toThrow(TypeError);
});

test('a rendering shares no list with another, nor with the template', async () => {
  const [first, second] = [await template.bind().render(), await template.bind().render()];
  expect(first.tools).not.toBe(second.tools);
  expect(second.tools).toEqual([tool]);
});

test('tokens are counted when asked for, once, by whoever is given', async () => {
  let counts = 0;
  const countTokens = async (): Promise<{ method: string; text: number; tools: number; total: number }> => {
    counts += 1;
    return { method: 'test', text: 1, tools: 2, total: 3 };
  };
  const rendered = await template.bind().render({ countTokens });
  expect(counts).toBe(0);
  expect([await rendered.tokens, await rendered.tokens]).toMatchObject([{ total: 3 }, { method: 'test' }]);
  expect(counts).toBe(1);
  const estimate = await (await template.bind().render()).tokens;
  expect(estimate.total).toBe(estimate.text + estimate.tools);
});

test('the descriptor tells texts and tools by hashes that change with them and with nothing else', () => {
  const describe = (text: string, description: string): unknown =>
    new PromptTemplate({
      ns: 'tests',
      key: 'prompt',
      sections: [
        new MarkdownSection({ title: text, key: 'top', template: 'Same.' }),
        new MarkdownSection({
          title: 'A',
          key: 'a',
          template: text,
          tools: [defineTool({ name: 'look', description, params: { type: 'object' }, handler: () => '' })],
        }),
        new MarkdownSection({ title: 'Closed', key: 'fixed', template: text, acceptsOverrides: false }),
      ],
    }).descriptor;
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const first = describe('One.', 'Looks.');
  expect(first).toEqual({
    ns: 'tests',
    key: 'prompt',
    sections: [
      { path: 'top', contentHash: hash, number: '1' },
      { path: 'a', contentHash: hash, number: '2' },
    ],
    tools: [{ path: 'a', name: 'look', contractHash: hash }],
  });
  expect(describe('One.', 'Looks.')).toEqual(first);
  const other = describe('Two.', 'Looks.');
  expect(other).toMatchObject({ tools: (first as { tools: unknown }).tools });
  expect(other).not.toEqual(first);
  expect(describe('One.', 'Looks twice.')).not.toEqual(first);
});
