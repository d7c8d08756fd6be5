import { describe, expect, test } from 'vitest';
import { defineTool } from '../bridge/native-tool.ts';
import { McpServer } from '../config/server.ts';
import { bindInstance } from '../session/resource-binding.ts';
import { resourceKey } from '../session/resource-key.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';
import { PromptValidationError } from './prompt-errors.ts';
import { PromptTemplate } from './prompt-template.ts';
import type { Section, SectionOptions } from './section.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });

function section(key: string, options: Partial<SectionOptions> & { readonly template?: string } = {}): MarkdownSection {
  return new MarkdownSection({ title: key, key, template: key, ...options });
}

function template(...sections: readonly Section[]): PromptTemplate {
  return new PromptTemplate({ ns: 'tests', key: 'prompt', sections });
}

function tool(name: string): ReturnType<typeof defineTool> {
  return defineTool({ name, description: name, params: { type: 'object' }, handler: () => '' });
}

/** What building the sections into a template throws. */
function refusal(...sections: readonly Section[]): unknown {
  try {
    return template(...sections);
  } catch (error) {
    return error;
  }
}

test('sections next to each other with one key are refused', () => {
  expect(refusal(section('a', { children: [section('b'), section(' B ')] }))).toEqual(
    new PromptValidationError("two sections have this path ('b' and 'B'); change the key of one", { section: 'a.b' }),
  );
});

test('so are keys with dots that meet at one path', () => {
  const error = refusal(section('a', { children: [section('b')] }), section('a.b', { title: 'Other' }));
  expect(error).toMatchObject({ code: 'PROMPT_INVALID', section: 'a.b' });
});

describe('a placeholder that is no field is a build error', () => {
  const unchecked: string = 'at $dbPaht';

  test.each<[string, Section, string]>([
    [
      'in a template that the compiler cannot read',
      new MarkdownSection({ title: 'A', key: 'a', params: Database, template: unchecked }),
      "section 'top.a': $dbPaht is no field of the params 'database' (known: dbPath)",
    ],
    [
      'in a section that takes no params',
      new MarkdownSection({ title: 'A', key: 'a', template: unchecked }),
      "section 'top.a': $dbPaht is no field of the section, which takes no params (known: none)",
    ],
    [
      'in a summary',
      new MarkdownSection({ title: 'A', key: 'a', params: Database, template: '', summary: unchecked }),
      "section 'top.a': $dbPaht is no field of the params 'database' (known: dbPath)",
    ],
  ])('[S0.template-params] %s', (_, child, message) => {
    const error = refusal(section('top', { children: [child] }));
    expect(error).toBeInstanceOf(PromptValidationError);
    expect(error).toMatchObject({ message, code: 'PROMPT_INVALID', section: 'top.a', placeholder: 'dbPaht' });
  });
});

test('two tools of one name are refused wherever they are, even in a section that is disabled', () => {
  const nested = section('top', { children: [section('a', { tools: [tool('look')], enabled: () => false })] });
  expect(refusal(nested, section('b', { tools: [tool('look')] }))).toMatchObject({
    message: "two tools are called 'look': one of section 'top.a', one of section 'b'",
    code: 'PROMPT_INVALID',
  });
  const tools = [tool('look')];
  expect(() => new PromptTemplate({ ns: 'a', key: 'b', sections: [nested], tools })).toThrow(
    "two tools are called 'look': one of the template, one of section 'top.a'",
  );
});

test('what is no section is refused', () => {
  const wrong = { title: 'A', key: 'a' } as unknown as Section;
  expect(refusal(wrong)).toMatchObject({ message: 'its sections must be Section instances, not object' });
  expect(refusal(section('a', { children: [wrong] }))).toMatchObject({ section: 'a' });
});

test.each([
  ['../up', 'key'],
  ['a//b', 'key'],
  ['a', '../key'],
  ['', 'key'],
])('the namespace and key %j, %j are refused', (ns, key) => {
  expect(() => new PromptTemplate({ ns, key, sections: [] })).toThrow(PromptValidationError);
});

test('sections are found by their whole path, dots in keys included', () => {
  const inner = section('tools');
  const outer = section('mcp.integrations', { children: [inner] });
  const found = template(outer);
  expect([found.findSection('mcp.integrations'), found.findSection('mcp.integrations.tools')]).toEqual([outer, inner]);
  expect([found.findSection('mcp'), found.bind().findSection('tools')]).toEqual([undefined, undefined]);
  expect(found.bind().paths).toEqual(['mcp.integrations', 'mcp.integrations.tools']);
});

describe('bind', () => {
  const Other = defineParams<{ x: string }>('other', { fields: ['x'] });
  const Unused = defineParams<{ y: string }>('unused', { fields: ['y'] });
  const both = template(
    new MarkdownSection({ title: 'A', key: 'a', params: Database, template: '$dbPath' }),
    new MarkdownSection({ title: 'B', key: 'b', params: Other, template: '$x' }),
  );

  test('makes another prompt and changes none', async () => {
    const first = both.bind(Database({ dbPath: '1' }));
    const second = first.bind(Other({ x: '2' }), Database({ dbPath: '3' }));
    const texts = [second, first.bind(Other({ x: '4' }))].map(async (prompt) => (await prompt.render()).text);
    expect(await Promise.all(texts)).toEqual([
      '## 1. A (a)\n\n3\n\n## 2. B (b)\n\n2',
      '## 1. A (a)\n\n1\n\n## 2. B (b)\n\n4',
    ]);
    expect(first.params.map(({ values }) => values)).toEqual([{ dbPath: '1' }]);
  });

  test('refuses two of one kind at once, and a kind that no section takes', () => {
    expect(() => both.bind(Database({ dbPath: '1' }), Database({ dbPath: '2' }))).toThrow(
      new PromptValidationError("'database' is bound twice at once; bind it once"),
    );
    expect(() => both.bind(Unused({ y: '1' }))).toThrow(
      new PromptValidationError("no section takes params 'unused' (taken: database, other)"),
    );
  });
});

test("resources are the template's, over them those of sections, over them those that are bound", () => {
  const [one, two, three] = [resourceKey<string>('one'), resourceKey<string>('two'), resourceKey<string>('three')];
  const registry = (text: string, ...keys: readonly (typeof one)[]): ResourceRegistry =>
    ResourceRegistry.of(...keys.map((key) => bindInstance(key, text)));
  const prompt = new PromptTemplate({
    ns: 'a',
    key: 'b',
    resources: registry('template', one, two, three),
    sections: [section('a', { resources: registry('section', two, three) })],
  }).bind();
  const bound = prompt.withResources(registry('bound', three));
  const values = [prompt, bound].map(({ resources }) =>
    [one, two, three].map((key) => resources.find(key)?.provider({ get: () => undefined })),
  );
  expect(values).toEqual([
    ['template', 'section', 'section'],
    ['template', 'section', 'bound'],
  ]);
});

test('[S0.composition] one section factory serves several templates', async () => {
  const git = (path: string): MarkdownSection =>
    new MarkdownSection({
      title: 'Git',
      key: 'git',
      template: `Working with repository at ${path}`,
      mcps: [McpServer.npm('git', '@example/mcp-server-git')],
    });
  const review = new PromptTemplate({ ns: 'reviews', key: 'code-review', sections: [git('/one')] });
  const release = new PromptTemplate({ ns: 'releases', key: 'prepare', sections: [section('log'), git('/two')] });
  const rendered = await Promise.all([review, release].map((each) => each.bind().render()));
  expect(rendered.map(({ text, mcps }) => [text, mcps.map(({ name }) => name)])).toEqual([
    ['## 1. Git (git)\n\nWorking with repository at /one', ['git']],
    ['## 1. log (log)\n\nlog\n\n## 2. Git (git)\n\nWorking with repository at /two', ['git']],
  ]);
});

test('cleanup reaches every section', async () => {
  await expect(template(section('a', { children: [section('b')] })).cleanup()).resolves.toBeUndefined();
});
