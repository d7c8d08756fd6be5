import { describe, expect, test } from 'vitest';
import { Live, names, render, section, template, tool } from '../../test/fixtures/prompt-sections.ts';
import { McpServer } from '../config/server.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
const git = McpServer.npm('git', '@example/mcp-server-git');
const files = McpServer.npm('fs', '@example/mcp-server-filesystem', ['/data']);

describe('a closed section', () => {
  const advanced = section('advanced', {
    summary: 'Advanced tools available. Expand for details.',
    visibility: 'summary',
    template: 'Use these for complex operations.',
    mcps: [files],
  });

  test('[S0.summary-text] shows its summary in place of its text, and says how to open it', async () => {
    const { text } = await render([section('a'), advanced]);
    expect(text).toBe(
      [
        '## 1. A (a)',
        'The a.',
        '## 2. ADVANCED (advanced)',
        'Advanced tools available. Expand for details.',
        '---\n[This section is summarized. To view full content, call `open_sections` with key "advanced".]',
      ].join('\n\n'),
    );
  });

  test('[S0.summary-text] renders its summary from params', async () => {
    const closed = new MarkdownSection({
      title: 'A',
      key: 'a',
      params: Database,
      template: '',
      summary: 'On $dbPath.',
      visibility: 'summary',
    });
    const { text } = await template(closed)
      .bind(Database({ dbPath: '/data' }))
      .render();
    expect(text).toContain('On /data.\n\n---');
  });

  test('names what is within it, and can only be read where no tools are', async () => {
    const children = [section('x'), section('y', { children: [section('z', { mcps: () => [git] })] })];
    const closed = { summary: 'S', visibility: 'summary' } as const;
    const { text } = await render([
      section('a', { children: [section('b', { ...closed, children })] }),
      section('c', { ...closed, children: [section('x')] }),
      section('d', closed),
    ]);
    expect(text.split('\n').filter((line) => line.startsWith('['))).toEqual([
      '[This section is summarized. Call `open_sections` with key "a.b" to view full content including subsections: x, y.]',
      '[This section is summarized. Call `read_section` with key "c" to view full content including subsections: x.]',
      '[This section is summarized. To view full content, call `read_section` with key "d".]',
    ]);
  });

  test('[S0.summary-hides] contributes no servers, tools or policies, nor do those within it', async () => {
    const policy: ToolPolicy = { name: 'policy' };
    const below = section('below', { tools: [tool('deep')], mcps: [git], policies: [policy] });
    const closed = advanced.clone({ tools: [tool('top')], policies: [policy], children: [below] });
    const { tools, mcps, policies, text } = await render([closed, section('b', { tools: [tool('other')] })]);
    expect([names(tools), mcps, policies]).toEqual([['other'], [], []]);
    expect(text).not.toContain('The below.');
  });

  test('tells what it holds when asked, disabled sections left out', async () => {
    const below = [
      section('on', { mcps: [git], pin: true }),
      section('off', { enabled: () => false, tools: [tool('never')] }),
      new Live(
        'unknown',
        () => '',
        () => {
          throw new Error('not connected');
        },
      ),
      new MarkdownSection({ title: 'N', key: 'needy', params: Database, template: '', mcps: () => [] }),
    ];
    const [closed] = (await render([advanced.clone({ tools: [tool('top')], children: below })])).closedSections;
    expect(closed).toMatchObject({
      path: 'advanced',
      title: 'ADVANCED',
      number: '1',
      depth: 0,
      summary: 'Advanced tools available. Expand for details.',
      mayOfferTools: true,
      childKeys: ['on', 'off', 'unknown', 'needy'],
    });
    expect(closed?.contents().map(({ path, tools, mcps, pin }) => [path, names(tools), names(mcps), pin])).toEqual([
      ['advanced', ['top'], ['fs'], false],
      ['advanced.on', [], ['git'], true],
      ['advanced.unknown', [], [], false],
      ['advanced.needy', [], [], false],
    ]);
    expect(closed?.contents()[2]?.unknown).toEqual(new Error('not connected'));
  });

  test('without a summary is an error, unless somebody lists such sections', async () => {
    const sections = [section('a', { visibility: 'summary' }), section('b'), section('c', { visibility: 'summary' })];
    await expect(render(sections)).rejects.toThrow("section 'a': it is closed and has no summary; give it one");
    const list = (closed: readonly { readonly path: string }[]): string =>
      closed.map(({ path }) => `- ${path}`).join('\n');
    expect((await render(sections, { closed: { list } })).text).toBe('## 2. B (b)\n\nThe b.\n\n- a\n- c');
  });

  test('may be followed by another note', async () => {
    const { text } = await render([advanced], { closed: { note: ({ path }) => `(open ${path})` } });
    expect(text).toMatch(/for details\.\n\n\(open advanced\)$/);
  });
});
