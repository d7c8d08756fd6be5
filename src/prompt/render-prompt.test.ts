import { describe, expect, test } from 'vitest';
import { Live, names, render, section, template, tool } from '../../test/fixtures/prompt-sections.ts';
import { McpServer } from '../config/server.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { Session } from '../session/session.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';
import { PromptRenderError, PromptValidationError } from './prompt-errors.ts';
import { PromptTemplate } from './prompt-template.ts';
import type { RenderOptions } from './render-options.ts';
import type { Section } from './section.ts';
import { setVisibility } from './visibility.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
const git = McpServer.npm('git', '@example/mcp-server-git');
const files = McpServer.npm('fs', '@example/mcp-server-filesystem', ['/data']);

describe('text', () => {
  test('has a heading per section with number, title and path, and a blank line between all blocks', async () => {
    const child = section('available-tools', { title: 'Available Tools', template: '\n  Call it.\n    Often.\n' });
    const sections = [section('guidance', { children: [child] }), section('mcp.integrations', { template: ' ' })];
    const { text } = await render(sections);
    expect(text).toBe(
      [
        '## 1. GUIDANCE (guidance)',
        'The guidance.',
        '### 1.1. Available Tools (guidance.available-tools)',
        'Call it.\n  Often.',
        '## 2. MCP.INTEGRATIONS (mcp.integrations)',
      ].join('\n\n'),
    );
  });

  test('keeps the numbers of sections whichever others are left out', async () => {
    const { text } = await render([section('a', { enabled: () => false }), section('b')]);
    expect(text).toBe('## 2. B (b)\n\nThe b.');
  });

  test('of a body that takes time stands in its place', async () => {
    const late = new Live('late', async ({ path, depth, number }) => `${path} ${depth} ${number}`);
    const { text } = await render([section('a', { children: [late] }), section('b')]);
    expect(text).toBe('## 1. A (a)\n\nThe a.\n\n### 1.1. Live (a.late)\n\na.late 1 1.1\n\n## 2. B (b)\n\nThe b.');
  });

  test('is empty without sections', async () => {
    expect((await render([])).text).toBe('');
  });
});

describe('params', () => {
  const plain = { title: 'A', template: '$dbPath', params: Database } as const;

  test("are what was bound, else the section's defaults, else the first defaults there are", async () => {
    const shared = template(
      new MarkdownSection({ ...plain, key: 'a' }),
      new MarkdownSection({ ...plain, key: 'b', defaultParams: Database({ dbPath: 'b' }) }),
      new MarkdownSection({ ...plain, key: 'c', defaultParams: Database({ dbPath: 'c' }) }),
    );
    const texts = await Promise.all([shared.bind().render(), shared.bind(Database({ dbPath: 'x' })).render()]);
    expect(texts.map(({ text }) => text.split('\n\n').filter((block) => !block.startsWith('#')))).toEqual([
      ['b', 'b', 'c'],
      ['x', 'x', 'x'],
    ]);
  });

  test('of a kind whose every field has a default need not be bound', async () => {
    const Complete = defineParams<{ who: string }>('complete', { defaults: { who: 'you' } });
    const { text } = await render([new MarkdownSection({ title: 'A', key: 'a', params: Complete, template: '$who' })]);
    expect(text).toBe('## 1. A (a)\n\nyou');
  });

  test('that are missing are an error that names section and params', async () => {
    const error = await render([section('top', { children: [new MarkdownSection({ ...plain, key: 'a' })] })]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PromptRenderError);
    expect(error).toMatchObject({
      message: "section 'top.a': Missing parameters for section. Bind 'database'.",
      code: 'PROMPT_RENDER_FAILED',
      section: 'top.a',
    });
  });

  test('are not looked for where nothing is rendered', async () => {
    const needy = { ...plain, tools: [tool('needy')], mcps: () => [git] };
    const { text } = await render([
      new MarkdownSection({ ...needy, key: 'off', enabled: () => false }),
      section('away', { enabled: () => false, children: [new MarkdownSection({ ...plain, key: 'below' })] }),
      section('closed', {
        visibility: 'summary',
        summary: 'S',
        children: [new MarkdownSection({ ...plain, key: 'in' })],
      }),
    ]);
    expect(text).toMatch(/^## 3\. CLOSED \(closed\)\n\nS\n\n---/);
  });
});

test('[S0.disabled-hides] a disabled section contributes nothing, nor do those within it', async () => {
  const policy: ToolPolicy = { name: 'policy' };
  const below = section('below', { tools: [tool('deep')], mcps: [git], policies: [policy] });
  const off = section('off', {
    enabled: () => false,
    tools: [tool('top')],
    mcps: [files],
    policies: [policy],
    children: [below],
  });
  const rendered = await render([off, section('on')]);
  expect([rendered.tools, rendered.mcps, rendered.policies, rendered.closedSections]).toEqual([[], [], [], []]);
  expect(rendered.text).toBe('## 2. ON (on)\n\nThe on.');
});

test('[S0.conditional] enabled looks at params and session, mcps at params', async () => {
  const conditional = template(
    new MarkdownSection({
      title: 'A',
      key: 'a',
      params: Database,
      template: '',
      enabled: ({ dbPath }, { session }) => dbPath !== '' && session !== undefined,
      mcps: ({ dbPath }) => [McpServer.uvx('sqlite', 'mcp-server-sqlite', ['--db', dbPath])],
    }),
  );
  const session = new Session();
  const args = async (dbPath: string, options: RenderOptions): Promise<unknown> =>
    (await conditional.bind(Database({ dbPath })).render(options)).mcps.map(({ transport }) => transport);
  expect(await args('', { session })).toEqual([]);
  expect(await args('/data', {})).toEqual([]);
  expect(await args('/data', { session })).toMatchObject([{ args: ['mcp-server-sqlite', '--db', '/data'] }]);
});

describe('what an author wrote and fails', () => {
  const fail = (): never => {
    throw new Error('broken');
  };

  test.each<[string, Section, string]>([
    ['enabled', section('a', { enabled: fail }), 'enabled failed: broken'],
    ['enabled', section('a', { enabled: (async () => true) as never }), 'enabled must give true or false'],
    ['visibility', section('a', { visibility: fail }), 'visibility failed: broken'],
    ['visibility', section('a', { visibility: () => 'open' as 'full' }), "visibility must give 'full' or 'summary'"],
    ['mcps', section('a', { mcps: fail }), 'mcps failed: broken'],
    ['mcps', section('a', { mcps: () => ['git'] as never }), 'mcps failed: Section mcps must be MCPServer instances.'],
    ['mcps', section('a', { mcps: () => [git, git] }), "it declares two servers called 'git'"],
    ['tools', new Live('a', () => '', fail), 'tools failed: broken'],
    ['a body', new Live('a', fail), 'rendering failed: broken'],
    ['a late body', new Live('a', async () => fail()), 'rendering failed: broken'],
  ])('%s says in which section', async (_, broken, message) => {
    const error = await render([section('top', { children: [broken] })]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ section: 'top.a', message: expect.stringContaining(`section 'top.a': ${message}`) });
  });
});

describe('visibility', () => {
  const both = [
    section('a', { summary: 'Sum.', visibility: 'summary' }),
    section('b', { summary: 'Sum.', children: [section('c')] }),
  ];
  const shown = async (options: RenderOptions): Promise<string> =>
    (await render(both, options)).text
      .replaceAll(/\n\n---\n.*$/gm, '')
      .replaceAll(/#+ .*\n\n/g, '')
      .replaceAll('\n\n', ' ');

  test('is an explicit wish, else what the session says, else what the author chose', async () => {
    const session = new Session();
    setVisibility(session, 'a', 'full');
    setVisibility(session, 'b', 'full');
    setVisibility(session, 'b', 'summary');
    setVisibility(session, 'of-another-prompt', 'summary');
    expect(await shown({})).toBe('Sum. The b. The c.');
    expect(await shown({ session })).toBe('The a. Sum.');
    expect(await shown({ session, visibility: { b: 'full' } })).toBe('The a. The b. The c.');
    expect(await shown({ session, visibility: new Map([['a', 'summary']]) })).toBe('Sum. Sum.');
  });

  test('of a section that there is not is an error', async () => {
    await expect(render(both, { visibility: { 'b.d': 'full' } })).rejects.toThrow(
      new PromptValidationError("no section has the path 'b.d' (there are: a, b, b.c)"),
    );
  });
});

describe('tools', () => {
  test("are the template's, then those of open sections in traversal order", async () => {
    const sections = [
      section('a', { tools: [tool('one')], children: [section('b', { tools: [tool('two')] })] }),
      new Live(
        'c',
        () => '',
        () => [tool('three')],
      ),
    ];
    const rendered = await new PromptTemplate({ ns: 'a', key: 'b', sections, tools: [tool('zero')] }).bind().render();
    expect(names(rendered.tools)).toEqual(['zero', 'one', 'two', 'three']);
  });

  test('that a section found since are compared when rendered', async () => {
    const live = new Live(
      'live',
      () => '',
      () => [tool('look')],
    );
    const declaring = section('a', { tools: [tool('look')] });
    await expect(render([declaring, live])).rejects.toThrow(
      new PromptValidationError("two tools are called 'look': one of section 'a', one of section 'live'"),
    );
    expect(names((await render([declaring.clone({ enabled: () => false }), live])).tools)).toEqual(['look']);
  });
});

describe('one section alone', () => {
  const deep = section('deep', { summary: 'S', visibility: 'summary', template: 'Deep.', tools: [tool('deep')] });
  const inner = section('inner', {
    summary: 'S',
    visibility: 'summary',
    tools: [tool('in')],
    children: [section('plain'), deep],
  });
  const prompt = new PromptTemplate({
    ns: 'a',
    key: 'b',
    sections: [
      section('outer', { tools: [tool('out')], children: [inner] }),
      section('off', { enabled: () => false, children: [section('x')] }),
    ],
    tools: [tool('of-template')],
    policies: [{ name: 'of template' }],
  }).bind();

  test('is open with what it brings, those within it as they are, also those that take no params', async () => {
    const rendered = await prompt.renderSection('outer.inner');
    expect(rendered.text).toMatch(
      /^### 1\.1\. INNER \(outer\.inner\)\n\nThe inner\.\n\n#### 1\.1\.1\. PLAIN \(outer\.inner\.plain\)\n\nThe plain\.\n\n#### 1\.1\.2\. DEEP .*\n\nS\n/,
    );
    expect([names(rendered.tools), rendered.policies]).toEqual([['in'], []]);
    expect(rendered.closedSections.map(({ path }) => path)).toEqual(['outer.inner.deep']);
  });

  test('must exist and be enabled, as must those around it', async () => {
    await expect(prompt.renderSection('inner')).rejects.toThrow("no section has the path 'inner'");
    await expect(prompt.renderSection('off.x')).rejects.toThrow(
      new PromptRenderError("cannot be shown: section 'off' is disabled", { section: 'off.x' }),
    );
  });
});
