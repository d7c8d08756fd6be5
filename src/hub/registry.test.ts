import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpServer } from '../config/server.ts';
import type { CommonOptions } from '../config/server.ts';
import { EMPTY_CATALOG } from '../connection/catalog.ts';
import type { Catalog } from '../connection/catalog.ts';
import { parseTools } from '../tools/tool-definition.ts';
import { DEFAULT_NAMING } from '../tools/tool-name.ts';
import { EMPTY_REGISTRY, buildRegistry, registryChanges } from './registry.ts';
import type { Registry, RegistrySource } from './registry.ts';

function catalogOf(...names: readonly string[]): Catalog {
  return {
    ...parseTools(
      names.map((name) => ({ name, description: `does ${name}`, inputSchema: {} })),
      512,
    ),
    warnings: [],
  };
}

function source(name: string, tools: readonly string[], options: CommonOptions = {}): RegistrySource {
  return { server: McpServer.stdio(name, 'node', [], options), catalog: catalogOf(...tools) };
}

const build = (...sources: readonly RegistrySource[]): Registry => buildRegistry(sources, DEFAULT_NAMING);
const namesOf = (registry: Registry): readonly string[] => [...registry.offered.keys()];

describe('buildRegistry', () => {
  test('[S3.registry] offers each tool as mcp__{server}__{tool}, with its server’s own name, in the order of declaration', () => {
    const registry = build(source('files', ['read', 'write'], { trust: 'trusted' }), source('git', ['log']));
    expect(namesOf(registry)).toEqual(['mcp__files__read', 'mcp__files__write', 'mcp__git__log']);
    expect(registry.offered.get('mcp__files__read')).toEqual({
      name: 'mcp__files__read',
      server: 'files',
      tool: 'read',
      source: 'mcp',
      trust: 'trusted',
      description: 'does read',
      inputSchema: {},
      schemaReport: [],
    });
    expect(registry.byServer.get('git')?.get('log')).toBe(registry.offered.get('mcp__git__log'));
    expect(registry.quarantined).toEqual([]);
  });

  test('[S3.registry] a server without a catalog has no tools, but is known', () => {
    const registry = build({ server: McpServer.stdio('files', 'node'), catalog: EMPTY_CATALOG });
    expect([namesOf(registry), registry.byServer]).toEqual([[], new Map([['files', new Map()]])]);
  });

  test('[S1.filter] [S3.registry] offers what the filter lets through, and quarantines nothing that it does not', () => {
    const registry = build(
      source('files', ['read', 'write', 'delete'], { enabledTools: ['read', 'delete'], disabledTools: ['delete'] }),
    );
    expect([namesOf(registry), registry.quarantined]).toEqual([['mcp__files__read'], []]);
  });

  test('[S3.registry] of two tools with one name the one declared later is quarantined, and the first stays', () => {
    const registry = build(source('a', ['b__c']), source('a__b', ['c', 'd']));
    expect(registry.offered.get('mcp__a__b__c')).toMatchObject({ server: 'a', tool: 'b__c' });
    expect(namesOf(registry)).toEqual(['mcp__a__b__c', 'mcp__a__b__d']);
    expect(registry.quarantined).toEqual([
      { server: 'a__b', tool: 'c', reason: 'its name mcp__a__b__c already belongs to a/b__c' },
    ]);
    expect(registry.byServer.get('a__b')?.has('c')).toBe(false);
  });

  test('[S3.registry] two names of one server that look alike to an agent collide too', () => {
    const registry = build(source('files', ['read.file', 'read/file']));
    expect(namesOf(registry)).toEqual(['mcp__files__read_file']);
    expect(registry.quarantined).toEqual([
      {
        server: 'files',
        tool: 'read/file',
        reason: 'its name mcp__files__read_file already belongs to files/read.file',
      },
    ]);
  });

  test('[S3.registry] the order in which catalogs arrive decides nothing', () => {
    const first = source('a', ['b__c']);
    const second = source('a__b', ['c']);
    const withoutFirst = build({ ...first, catalog: EMPTY_CATALOG }, second);
    expect(withoutFirst.offered.get('mcp__a__b__c')).toMatchObject({ server: 'a__b' });
    const whole = build(first, second);
    expect(whole.offered.get('mcp__a__b__c')).toMatchObject({ server: 'a' });
    expect(whole.quarantined).toMatchObject([{ server: 'a__b', tool: 'c' }]);
  });

  test('what a server’s own list quarantined is told with the server’s name', () => {
    const { server } = source('files', []);
    const registry = build({ server, catalog: catalogOf('read', 'read', '') });
    expect(registry.quarantined).toEqual([
      { server: 'files', tool: 'read', reason: 'the server lists this name twice; the first is kept' },
      { server: 'files', tool: '#3', reason: 'has no usable name: ""' },
    ]);
  });

  test('[S3.registry] whatever the servers list, every offered tool is found by its name and by its server, and the rest is quarantined', () => {
    const tools = fc.uniqueArray(
      fc.constantFrom('a', 'b', 'a__b', 'b__a', 'a.b', 'a/b', `x${'y'.repeat(80)}`, `x${'y'.repeat(81)}`),
    );
    const listed = fc.tuple(tools, tools, tools, tools);
    const style = fc.constantFrom(
      'mcp__{server}__{tool}' as const,
      '{prefix}_{tool}' as const,
      'mcp_{alias}_{tool}' as const,
    );
    fc.assert(
      fc.property(listed, style, ([first, second, third, fourth], naming) => {
        const sources = [
          source('a', first),
          source('a__b', second),
          source('b', third, { toolPrefix: 'a' }),
          source('c', fourth, { toolPrefix: 'a' }),
        ];
        const registry = buildRegistry(sources, naming);
        expect(registry.offered.size + registry.quarantined.length).toBe([first, second, third, fourth].flat().length);
        for (const [name, spec] of registry.offered) {
          expect(spec.name).toBe(name);
          expect(registry.byServer.get(spec.server)?.get(spec.tool)).toBe(spec);
        }
        expect([...registry.byServer.values()].reduce((sum, own) => sum + own.size, 0)).toBe(registry.offered.size);
      }),
    );
  });

  test('[S3.registry] a server that is declared later takes no name from one that was declared before', () => {
    const tools = fc.uniqueArray(fc.constantFrom('a', 'b', 'a__b', 'b__a', 'b', 'a.b', 'a/b'));
    fc.assert(
      fc.property(tools, tools, (before, after) => {
        const alone = build(source('a', before));
        const both = build(source('a', before), source('a__b', after));
        for (const [name, spec] of alone.offered) expect(both.offered.get(name)).toEqual(spec);
      }),
    );
  });
});

describe('registryChanges', () => {
  test('[S3.registry] tells per server what agents gain, lose and must look at again', () => {
    const before = build(source('files', ['read', 'write']), source('git', ['log']), source('same', ['x']));
    const changed = {
      ...catalogOf('read', 'list'),
      tools: catalogOf('read', 'list').tools.map((tool) => ({ ...tool, description: 'new' })),
    };
    const after = build({ ...source('files', []), catalog: changed }, source('new', ['y']), source('same', ['x']));
    expect(registryChanges(before, after)).toEqual([
      { server: 'files', added: ['mcp__files__list'], removed: ['mcp__files__write'], changed: ['mcp__files__read'] },
      { server: 'new', added: ['mcp__new__y'], removed: [], changed: [] },
      { server: 'git', added: [], removed: ['mcp__git__log'], changed: [] },
    ]);
  });

  test('nothing changes between equal registries, whether they share objects or not', () => {
    const shared = source('files', ['read', 'write']);
    expect(registryChanges(build(shared), build(shared))).toEqual([]);
    expect(registryChanges(build(source('files', ['read'])), build(source('files', ['read'])))).toEqual([]);
    expect(registryChanges(EMPTY_REGISTRY, EMPTY_REGISTRY)).toEqual([]);
  });

  test('a field that is new or gone is a change', () => {
    const { server, catalog } = source('files', ['read']);
    const titled = { ...catalog, tools: catalog.tools.map((tool) => ({ ...tool, title: 'Read' })) };
    const change = [{ server: 'files', added: [], removed: [], changed: ['mcp__files__read'] }];
    expect(registryChanges(build({ server, catalog }), build({ server, catalog: titled }))).toEqual(change);
    expect(registryChanges(build({ server, catalog: titled }), build({ server, catalog }))).toEqual(change);
  });

  test('a name that goes to another server is lost to the one and gained by the other', () => {
    const before = build(source('a', ['b__c']), source('a__b', ['c']));
    const after = build(source('a', []), source('a__b', ['c']));
    expect(registryChanges(before, after)).toEqual([
      { server: 'a__b', added: ['mcp__a__b__c'], removed: [], changed: [] },
      { server: 'a', added: [], removed: ['mcp__a__b__c'], changed: [] },
    ]);
  });
});
