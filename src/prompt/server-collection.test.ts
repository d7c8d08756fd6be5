import { describe, expect, test } from 'vitest';
import { names, render, section, template } from '../../test/fixtures/prompt-sections.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { McpServer } from '../config/server.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';
import { PromptValidationError } from './prompt-errors.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
const git = McpServer.npm('git', '@example/mcp-server-git');
const files = McpServer.npm('fs', '@example/mcp-server-filesystem', ['/data']);

describe('servers', () => {
  const other = McpServer.npm('git', '@example/other-git');

  test('[S0.rendered-mcps] are those of open sections in traversal order', async () => {
    const [one, two] = [McpServer.http('one', 'https://one'), McpServer.http('two', 'https://two')];
    const sections = [
      section('a', { mcps: [two], children: [section('b', { mcps: [git, one] })] }),
      section('c', { mcps: [files] }),
    ];
    expect(names((await render(sections)).mcps)).toEqual(['two', 'git', 'one', 'fs']);
  });

  test('[S0.duplicates] of one name: the first wins; each later one that differs is logged once, an identical one is silent', async () => {
    const logger = new RecordingLogger();
    const same = McpServer.npm('git', '@example/mcp-server-git');
    const sections = [git, same, other, git, other.withPolicies({ name: 'p' })].map((server, index) =>
      section(`s${index}`, { mcps: [server] }),
    );
    const { mcps } = await render(sections, { logger });
    expect(mcps).toEqual([git]);
    const line = {
      level: 'warn',
      message: 'prompt.render.duplicate_mcp',
      fields: { event: 'prompt.render.duplicate_mcp', context: { mcp_name: 'git' }, first: 's0' },
    };
    expect(logger.lines).toEqual([
      { ...line, fields: { ...line.fields, section: 's2' } },
      { ...line, fields: { ...line.fields, section: 's4' } },
    ]);
  });

  test('[S0.duplicates] that a function makes are compared with those declared before and after them', async () => {
    const logger = new RecordingLogger();
    const sections = [
      section('a', { mcps: [git] }),
      section('b', { mcps: () => [other, McpServer.npm('fs', '@example/other-files')] }),
      section('c', { mcps: [files] }),
    ];
    const { mcps } = await render(sections, { logger });
    expect(mcps).toEqual([git, McpServer.npm('fs', '@example/other-files')]);
    expect(logger.lines.map(({ fields }) => fields)).toEqual([
      { event: 'prompt.render.duplicate_mcp', context: { mcp_name: 'git' }, section: 'b', first: 'a' },
      { event: 'prompt.render.duplicate_mcp', context: { mcp_name: 'fs' }, section: 'c', first: 'b' },
    ]);
  });

  test('[S0.duplicates] that differ raise in strict mode, identical ones do not', async () => {
    const strict = { strict: true };
    await expect(render([section('a', { mcps: [git] }), section('b', { mcps: [other] })], strict)).rejects.toThrow(
      new PromptValidationError("its server 'git' is another one than that of section 'a'", { section: 'b' }),
    );
    const rendered = await render([section('a', { mcps: [git] }), section('b', { mcps: [git] })], strict);
    expect(rendered.mcps).toEqual([git]);
  });

  test('[S0.duplicates] of a closed or disabled section count for nothing', async () => {
    const hidden = section('a', { mcps: [other], visibility: 'summary', summary: 'S' });
    const off = section('b', { mcps: [other], enabled: () => false });
    const rendered = await render([hidden, off, section('c', { mcps: [git] })], { strict: true });
    expect(rendered.mcps).toEqual([git]);
  });

  test('[S0.args-literal] keep placeholders in their args, and one warning says so', async () => {
    const logger = new RecordingLogger();
    const sqlite = McpServer.uvx('sqlite', 'mcp-server-sqlite', [
      '--db',
      '${dbPath}',
      '--again=$dbPath',
      '$HOME',
      '$5',
    ]);
    const options = { title: 'A', key: 'a', template: '', params: Database, mcps: [sqlite] };
    const { mcps } = await template(new MarkdownSection(options), section('b', { mcps: [sqlite] }))
      .bind(Database({ dbPath: '/data' }))
      .render({ logger });
    expect(mcps).toEqual([sqlite]);
    expect(logger.lines).toMatchObject([
      {
        level: 'warn',
        message: 'prompt.render.literal_args',
        fields: { context: { mcp_name: 'sqlite', placeholders: ['${dbPath}', '$dbPath'], section: 'a' } },
      },
    ]);
  });
});
