import { expect, test } from 'vitest';
import { McpServer } from '../config/server.ts';
import { Session } from '../session/session.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
const git = McpServer.npm('git', '@example/mcp-server-git');
const session = new Session();

const original = new MarkdownSection({
  title: 'A',
  key: 'a',
  params: Database,
  template: 'At $dbPath.',
  enabled: (params) => params.dbPath === 'x',
  visibility: ({ dbPath }, { session: own }) => (dbPath === 'x' && own === session ? 'summary' : 'full'),
  mcps: [git],
  summary: 'A database.',
  children: [new MarkdownSection({ title: 'B', key: 'b', template: 'Below.', enabled: ({ session: own }) => !own })],
});

test('[S0.clone] a clone keeps its servers, and its predicates work as they were written', () => {
  const contexts = [
    { params: { dbPath: 'x' }, session },
    { params: { dbPath: 'y' }, session },
    { params: { dbPath: 'x' }, session: undefined },
  ];
  const says = (section: typeof original): unknown =>
    contexts.map((context) => [
      section.mcps(context),
      section.isEnabled(context),
      section.visibilityFor(context),
      section.renderBody({ ...context, path: 'a', depth: 0, number: '1' }),
      section.children.map((child) => child.isEnabled(context)),
    ]);
  const twice = original.clone().clone() as typeof original;
  expect(twice).not.toBe(original);
  expect(says(twice)).toEqual(says(original));
  expect(says(original)).toEqual([
    [[git], true, 'summary', 'At x.', [false]],
    [[git], false, 'full', 'At y.', [false]],
    [[git], true, 'full', 'At x.', [true]],
  ]);
});

test('[S0.clone] a clone takes changes and owns its children; the original stays as it was', () => {
  const other = McpServer.npm('other', '@example/other');
  const clone = original.clone({ key: 'c', template: 'In $dbPath.', mcps: [other], enabled: () => true });
  const context = { params: { dbPath: 'y' }, session, path: 'c', depth: 0, number: '1' };
  expect([clone.key, clone.mcps(), clone.isEnabled(context), clone.renderBody(context), clone.summary]).toEqual([
    'c',
    [other],
    true,
    'In y.',
    'A database.',
  ]);
  expect([original.key, original.mcps(), original.isEnabled(context)]).toEqual(['a', [git], false]);
  expect(clone.children[0]).not.toBe(original.children[0]);
  expect(original.clone({ children: [] }).children).toEqual([]);
});

test('the body names the placeholder that has no value, and the section', () => {
  const context = { params: {} as { dbPath: string }, session, path: 'x.a', depth: 1, number: '1.1' };
  expect(() => original.renderBody(context)).toThrow("section 'x.a': no value for $dbPath");
});
