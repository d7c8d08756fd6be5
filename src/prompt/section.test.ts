import { describe, expect, test } from 'vitest';
import { defineTool } from '../bridge/native-tool.ts';
import { McpServer } from '../config/server.ts';
import { bindInstance } from '../session/resource-binding.ts';
import { resourceKey } from '../session/resource-key.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import { Session } from '../session/session.ts';
import { MarkdownSection } from './markdown-section.ts';
import { defineParams } from './params.ts';
import { PromptValidationError } from './prompt-errors.ts';
import type { SectionOptions } from './section.ts';
import { Section } from './section.ts';

const Database = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
const git = McpServer.npm('git', '@example/mcp-server-git');
const tool = defineTool({ name: 'look', description: 'Looks.', params: { type: 'object' }, handler: () => 'seen' });
const session = new Session();

function section(options: Partial<SectionOptions> = {}): MarkdownSection {
  return new MarkdownSection({ title: 'A', key: 'a', template: '', ...options });
}

test('[S0.section-fields] a section takes everything that can be said of one', () => {
  const child = section({ key: 'child' });
  const policy = { name: 'policy' };
  const resources = ResourceRegistry.of(bindInstance(resourceKey<string>('greeting'), 'hello'));
  const full = new MarkdownSection({
    title: ' Git ',
    key: ' Git.Tools ',
    params: Database,
    defaultParams: Database({ dbPath: 'x' }),
    children: [child],
    enabled: () => false,
    tools: [tool],
    mcps: [git],
    policies: [policy],
    resources,
    summary: 'Git on $dbPath.',
    acceptsOverrides: false,
    visibility: 'summary',
    pin: ['look'],
    template: 'Use git on $dbPath.',
  });
  const context = { params: { dbPath: 'x' }, session };
  expect([full.title, full.key, full.params, full.children, full.summary]).toEqual([
    'Git',
    'git.tools',
    Database,
    [child],
    'Git on $dbPath.',
  ]);
  expect([full.isEnabled(context), full.visibilityFor(context), full.acceptsOverrides]).toEqual([
    false,
    'summary',
    false,
  ]);
  expect([full.tools(), full.mcps(), full.policies(), full.resources(), full.pin]).toEqual([
    [tool],
    [git],
    [policy],
    resources,
    ['look'],
  ]);
});

test('[S0.section-fields] what is not said has its default', () => {
  const plain = section();
  const context = { params: {}, session: undefined };
  expect([plain.isEnabled(context), plain.visibilityFor(context), plain.acceptsOverrides]).toEqual([
    true,
    'full',
    true,
  ]);
  expect([plain.tools(), plain.mcps(), plain.policies(), plain.children]).toEqual([[], [], [], []]);
  expect([plain.summary, plain.pin, plain.choosesVisibility]).toEqual([undefined, false, false]);
});

test.each(['', ' ', '.a', '-a', 'a b', 'a/b', 'ä', `a${'b'.repeat(64)}`])('the key %j is refused', (key) => {
  expect(() => section({ key })).toThrow(PromptValidationError);
  expect(() => section({ key })).toThrow(`'${key}' is no key. Must match pattern: ^[a-z0-9][a-z0-9._-]{0,63}$`);
});

test.each(['', '  ', 'two\nlines'])('the title %j is refused', (title) => {
  expect(() => section({ title })).toThrow("section 'a': its title must be one line of text");
});

describe('mcps()', () => {
  test('[S0.section-mcps] returns what was declared, in order, and cannot be changed', () => {
    const other = McpServer.http('other', 'https://example.com');
    const given = [git, other];
    const declared = section({ mcps: given });
    given.pop();
    expect(declared.mcps()).toEqual([git, other]);
    expect(Object.isFrozen(declared.mcps())).toBe(true);
  });

  test.each([
    ['a name', 'git'],
    ['plain fields', { name: 'git', command: 'npx' }],
    ['nothing', undefined],
  ])("[S0.section-mcps] refuses %s with the document's text", (_, server) => {
    const mcps = [server] as never as readonly McpServer[];
    expect(() => section({ mcps })).toThrow(new TypeError('Section mcps must be MCPServer instances.'));
    expect(() => section({ mcps: () => mcps }).mcps()).toThrow('Section mcps must be MCPServer instances.');
  });

  test('[S0.section-mcps] refuses two of one name', () => {
    const message = "section 'a': it declares two servers called 'git'; keep one";
    expect(() => section({ mcps: [git, git] })).toThrow(message);
    expect(() => section({ mcps: () => [git, git] }).mcps()).toThrow(message);
  });

  test('[S0.conditional] may be a function of params', () => {
    const sqlite = ({ dbPath }: { dbPath: string }): readonly McpServer[] => [
      McpServer.uvx('sqlite', 'mcp-server-sqlite', ['--db', dbPath]),
    ];
    const options = { title: 'A', key: 'a', template: '', params: Database, mcps: sqlite };
    const database = new MarkdownSection(options);
    const withDefault = new MarkdownSection({ ...options, defaultParams: Database({ dbPath: '/default' }) });
    expect(database.mcps({ params: { dbPath: '/data' }, session })).toEqual(sqlite({ dbPath: '/data' }));
    expect(withDefault.mcps()).toEqual(sqlite({ dbPath: '/default' }));
    expect(() => database.mcps()).toThrow("section 'a': its servers depend on params 'database'; give them");
  });
});

test('anything that is no tool is refused', () => {
  for (const wrong of [undefined, 'look', { name: 'look' }]) {
    expect(() => section({ tools: [wrong] as never })).toThrow(
      "section 'a': its tools must come from defineTool or from a caller",
    );
  }
});

test('defaults must be of the kind that the section takes', () => {
  const Other = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
  const options = { title: 'A', key: 'a', template: '', params: Database, defaultParams: Other({ dbPath: 'x' }) };
  expect(() => new MarkdownSection(options)).toThrow("section 'a': defaultParams are of another kind than params");
});

describe('enabled', () => {
  const context = { params: { dbPath: 'x' }, session };
  const common = { title: 'A', key: 'a', template: '', params: Database };

  test('[S0.conditional] is called in the shape it was written in', () => {
    const seen: unknown[] = [];
    const shapes = [
      new MarkdownSection({ ...common, enabled: () => true }),
      new MarkdownSection({ ...common, enabled: (params) => seen.push(params.dbPath) > 0 }),
      new MarkdownSection({ ...common, enabled: ({ session: own }) => seen.push(own) > 0 }),
      new MarkdownSection({ ...common, enabled: ({ dbPath }, { session: own }) => seen.push(dbPath, own) > 0 }),
    ];
    expect(shapes.map((each) => each.isEnabled(context))).toEqual([true, true, true, true]);
    expect(seen).toEqual(['x', session, 'x', session]);
  });

  test('of a section without params gets the session', () => {
    expect(section({ enabled: ({ session: own }) => own === session }).isEnabled({ params: {}, session })).toBe(true);
  });

  test('that takes nothing does not ask for params', () => {
    const without = {
      session,
      get params(): never {
        throw new Error('nobody should look');
      },
    };
    expect(new MarkdownSection({ ...common, enabled: () => false }).isEnabled(without)).toBe(false);
  });

  test('sees its own field where one is called session', () => {
    const Named = defineParams<{ session: string }>('named', { fields: ['session'] });
    const named = new MarkdownSection({ ...common, params: Named, enabled: (params) => params.session === 'mine' });
    expect(named.isEnabled({ params: { session: 'mine' }, session })).toBe(true);
  });
});

test('visibility may be chosen in the same shapes', () => {
  const chosen = new MarkdownSection({
    title: 'A',
    key: 'a',
    template: '',
    params: Database,
    visibility: ({ dbPath }, scope) => (dbPath === 'x' && scope.session === session ? 'summary' : 'full'),
  });
  expect(chosen.choosesVisibility).toBe(true);
  expect(chosen.visibilityFor({ params: { dbPath: 'x' }, session })).toBe('summary');
  expect(chosen.visibilityFor({ params: { dbPath: 'x' }, session: undefined })).toBe('full');
});

class Held extends Section {
  releases = 0;

  override renderBody(): string {
    return '';
  }

  override clone(): Held {
    return new Held({ title: this.title, key: this.key });
  }

  protected override release(): void {
    this.releases += 1;
    if (this.key === 'bad') throw new Error('stuck');
  }
}

test('cleanup lets go of a section and those within it once, whatever one of them says', async () => {
  const [bad, good] = [new Held({ title: 'Bad', key: 'bad' }), new Held({ title: 'Good', key: 'good' })];
  const parent = section({ children: [bad, good] });
  const first = parent.cleanup();
  await expect(first).rejects.toThrow('stuck');
  await expect(parent.cleanup()).rejects.toThrow('stuck');
  await good.cleanup();
  expect([bad.releases, good.releases]).toEqual([1, 1]);
});
