import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { defineTool } from '../bridge/native-tool.ts';
import type { Logger } from '../logger.ts';
import { FileOverridesStore } from './file-overrides-store.ts';
import { MarkdownSection } from './markdown-section.ts';
import { MemoryOverridesStore } from './memory-overrides-store.ts';
import { defineParams } from './params.ts';
import { PromptRenderError, PromptValidationError } from './prompt-errors.ts';
import type { OverridesStore, PromptOverride } from './prompt-overrides.ts';
import { PromptTemplate } from './prompt-template.ts';
import type { SectionOptions } from './section.ts';

const Who = defineParams<{ who: string }>('who', { defaults: { who: 'you' } });
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  params: { type: 'object', properties: { at: { type: 'string', description: 'Old.' }, deep: true } },
  handler: () => 'seen',
});

function template(text: string, options: Partial<SectionOptions<{ who: string }>> = {}): PromptTemplate {
  const common = { title: 'A', key: 'constructor', params: Who, summary: 'Sum.', tools: [look] };
  const section = new MarkdownSection({ ...common, template: text, ...options });
  return new PromptTemplate({ ns: 'tests/deep', key: 'prompt', sections: [section] });
}

const original = template('Hello $who.');

/** An override of the text, against the template as it is. */
function bodyFor({ descriptor }: PromptTemplate, body: string): Partial<PromptOverride> {
  const [section] = descriptor.sections;
  return { sections: { constructor: { expectedHash: section?.contentHash ?? '', body } } };
}

const TOOL: Partial<PromptOverride> = {
  tools: {
    look: {
      expectedHash: original.descriptor.tools[0]?.contractHash ?? '',
      description: 'Looks well.',
      paramDescriptions: { at: 'New.', deep: 'Not a schema to describe.', other: 'Not there.' },
    },
  },
};

interface Opened extends AsyncDisposable {
  open(logger?: Logger): OverridesStore;
}

const stores: readonly [string, () => Promise<Opened>][] = [
  [
    'memory',
    async () => {
      const logger = new RecordingLogger();
      const store = new MemoryOverridesStore({ logger: { log: (...line) => logged?.log(...line) } });
      let logged: Logger | undefined = logger;
      return {
        open: (own) => {
          logged = own;
          return store;
        },
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  ],
  [
    'files',
    async () => {
      const folder = await openTemporaryFolder();
      return {
        open: (logger) => new FileOverridesStore({ root: folder.path, ...(logger && { logger }) }),
        [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
      };
    },
  ],
];

describe.each(stores)('overrides in %s', (_, opening) => {
  test('take the place of texts, descriptions and descriptions of parameters', async () => {
    await using opened = await opening();
    await opened.open().upsert(original.descriptor, { ...bodyFor(original, '  Good day, $who.\n'), ...TOOL });
    const overrides = opened.open();
    const rendered = await original.bind(Who({ who: 'Ada' })).render({ overrides });
    expect(rendered.text).toBe('## 1. A (constructor)\n\nGood day, Ada.');
    expect(rendered.tools).toMatchObject([
      {
        name: 'look',
        description: 'Looks well.',
        inputSchema: { type: 'object', properties: { at: { type: 'string', description: 'New.' }, deep: true } },
      },
    ]);
    expect(rendered.toolParamDescriptions).toEqual({ look: { at: 'New.' } });
    expect(look.description).toBe('Looks.');
  });

  test('are kept by tag and by prompt, replaced as a whole, and can be forgotten', async () => {
    await using opened = await opening();
    const overrides = opened.open();
    const { descriptor } = original;
    await overrides.upsert(descriptor, bodyFor(original, 'Latest.'));
    await overrides.upsert(descriptor, bodyFor(original, 'Tried.'), 'trial');
    await overrides.upsert(descriptor, TOOL, 'tools');
    await overrides.upsert(descriptor, {}, 'tools');
    const text = async (overridesTag?: string): Promise<string> =>
      (await original.bind().render({ overrides, overridesTag })).text.replace(/^.*\n\n/, '');
    expect([await text(), await text('trial'), await text('other')]).toEqual(['Latest.', 'Tried.', 'Hello you.']);
    expect(await overrides.resolve(descriptor, 'tools')).toEqual({ sections: {}, tools: {} });
    expect(await overrides.resolve({ ...descriptor, key: 'another' })).toBeUndefined();
    await overrides.delete({ ns: 'tests/deep', key: 'prompt' });
    await overrides.delete({ ns: 'tests/deep', key: 'prompt' });
    expect([await text(), await text('trial')]).toEqual(['Hello you.', 'Tried.']);
  });

  test('written against another text are dropped on load, with a debug log', async () => {
    await using opened = await opening();
    const logger = new RecordingLogger();
    await opened.open().upsert(original.descriptor, { ...bodyFor(original, 'Stale.'), ...TOOL });
    const edited = template('Welcome, $who.');
    const rendered = await edited.bind().render({ overrides: opened.open(logger) });
    expect(rendered.text).toBe('## 1. A (constructor)\n\nWelcome, you.');
    expect(rendered.tools[0]?.description).toBe('Looks well.');
    expect(logger.lines).toEqual([
      {
        level: 'debug',
        message: 'prompt.overrides.dropped',
        fields: {
          event: 'prompt.overrides.dropped',
          context: {
            ns: 'tests/deep',
            key: 'prompt',
            kind: 'section',
            name: 'constructor',
            reason: 'it was written against another text',
          },
        },
      },
    ]);
  });

  test('that do not fit are refused on write, and nothing is kept', async () => {
    await using opened = await opening();
    const overrides = opened.open();
    const wrong = {
      sections: { constructor: { expectedHash: 'x', body: '' }, toString: { expectedHash: 'x', body: '' } },
    };
    await expect(overrides.upsert(original.descriptor, wrong)).rejects.toThrow(
      new PromptValidationError(
        "the override does not fit tests/deep/prompt: section 'constructor': it was written against another text; section 'toString': the prompt has none that accepts overrides",
      ),
    );
    expect(await overrides.resolve(original.descriptor)).toBeUndefined();
  });

  test('hold only where the section accepts them', async () => {
    await using opened = await opening();
    const overrides = opened.open();
    const fixed = template('Hello $who.', { acceptsOverrides: false });
    await expect(overrides.upsert(fixed.descriptor, bodyFor(original, 'New.'))).rejects.toThrow(PromptValidationError);
    await overrides.upsert(original.descriptor, { ...bodyFor(original, 'New.'), ...TOOL });
    const { text, tools } = await fixed.bind().render({ overrides });
    expect([text, tools]).toEqual(['## 1. A (constructor)\n\nHello you.', [look]]);
  });

  test('of a text are not shown while the section is closed', async () => {
    await using opened = await opening();
    const overrides = opened.open();
    await overrides.upsert(original.descriptor, bodyFor(original, 'Secret.'));
    const prompt = original.bind();
    const { text } = await prompt.render({ overrides, visibility: new Map([['constructor', 'summary']]) });
    expect(text).toMatch(/^## 1\. A \(constructor\)\n\nSum\.\n\n---/);
    expect((await prompt.renderSection('constructor', { overrides })).text).toContain('Secret.');
  });

  test('that name an unknown field say so when rendered', async () => {
    await using opened = await opening();
    const overrides = opened.open();
    await overrides.upsert(original.descriptor, bodyFor(original, '$nobody'));
    await expect(original.bind().render({ overrides })).rejects.toThrow(
      new PromptRenderError('no value for $nobody, which its stored text names', {
        section: 'constructor',
        placeholder: 'nobody',
      }),
    );
  });
});

describe('files', () => {
  test('are one per prompt and tag, and no draft is left', async () => {
    await using folder = await openTemporaryFolder();
    const store = new FileOverridesStore({ root: join(folder.path, 'not', 'there') });
    await store.upsert(original.descriptor, bodyFor(original, 'New.'), 'v1');
    await store.upsert(original.descriptor, bodyFor(original, 'Newer.'), 'v1');
    expect(readdirSync(join(folder.path, 'not/there/tests/deep/prompt'))).toEqual(['v1.json']);
  });

  test('that cannot be written leave no draft', async () => {
    await using folder = await openTemporaryFolder();
    const place = folder.file('tests/deep/prompt');
    mkdirSync(join(place, 'latest.json', 'x'), { recursive: true });
    const store = new FileOverridesStore({ root: folder.path });
    await expect(store.upsert(original.descriptor, {})).rejects.toThrow();
    expect(readdirSync(place)).toEqual(['latest.json']);
  });

  test.each(['{', '{"version":2}', '{"version":1,"ns":"a","key":"b","tag":"c","sections":{"a":{}},"tools":{}}'])(
    'that say %s are an error which names the file',
    async (text) => {
      await using folder = await openTemporaryFolder();
      const store = new FileOverridesStore({ root: folder.path });
      await store.upsert(original.descriptor, {});
      const path = folder.file('tests/deep/prompt/latest.json');
      expect(existsSync(path)).toBe(true);
      writeFileSync(path, text);
      const error = await store.resolve(original.descriptor).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PromptValidationError);
      expect((error as Error).message).toContain(path);
      expect((error as Error).message).toContain('mend or delete it');
    },
  );

  test('never lie outside the folder', async () => {
    const store = new FileOverridesStore({ root: '/nowhere' });
    const addresses = [
      { ns: '..', key: 'a' },
      { ns: 'a', key: '../b' },
      { ns: 'a', key: 'b', tag: '../../c' },
      { ns: '/etc', key: 'b' },
    ];
    for (const address of addresses) await expect(store.delete(address)).rejects.toThrow(PromptValidationError);
  });
});
