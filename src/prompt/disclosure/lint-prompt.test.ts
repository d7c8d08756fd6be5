import { expect, test } from 'vitest';
import { defineTool } from '../../bridge/native-tool.ts';
import type { NativeTool } from '../../bridge/native-tool.ts';
import { McpServer } from '../../config/server.ts';
import { MarkdownSection } from '../markdown-section.ts';
import { PromptTemplate } from '../prompt-template.ts';
import { lintPrompt } from './lint-prompt.ts';

test('warns of closed sections without summary, of many tools, and of summaries that name no tool', () => {
  const text = { template: '', visibility: 'summary' } as const;
  const silent = new MarkdownSection({
    ...text,
    title: 'Silent',
    key: 'silent',
    summary: 'Something.',
    tools: tools(2),
  });
  const template = new PromptTemplate({
    ns: 'tests',
    key: 'lint',
    sections: [
      new MarkdownSection({ ...text, title: 'Bare', key: 'bare', children: [silent] }),
      new MarkdownSection({
        title: 'Many',
        key: 'many',
        template: '',
        mcps: [McpServer.http('web', 'https://example.com')],
      }),
      new MarkdownSection({ ...text, title: 'Good', key: 'good', summary: 'Does good-0.', tools: tools(3, 'good') }),
    ],
  });
  const toolsOf = (): readonly string[] => Array.from({ length: 11 }, (_, index) => `web_${index}`);
  expect(lintPrompt(template, { toolsOf }).map(({ section, problem }) => [section, problem])).toEqual([
    ['bare', 'no-summary'],
    ['bare.silent', 'unnamed-tools'],
    ['many', 'many-tools'],
  ]);
  // Nothing is said of servers that nobody knows.
  expect(lintPrompt(template).map(({ section }) => section)).toEqual(['bare', 'bare.silent']);
});

function tools(count: number, name = 'tool'): readonly NativeTool[] {
  return Array.from({ length: count }, (_, index) =>
    defineTool({ name: `${name}-${index}`, description: '', params: { type: 'object' }, handler: () => '' }),
  );
}
