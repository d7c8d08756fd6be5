import { Hub, McpServer } from '../../src/index.ts';
import type { CatalogCache, HubOptions } from '../../src/index.ts';
import type { Catalog } from '../../src/connection/catalog.ts';
import { parseTools } from '../../src/tools/tool-definition.ts';

/** Remembers what these servers offer, as if each had been seen before. */
export function knownCatalogs(toolsOf: (server: string) => readonly string[] | undefined): CatalogCache {
  return {
    memoryOf: ({ server }) => ({
      recall: () => {
        const names = toolsOf(server);
        return names && catalogOf(names);
      },
      keep: () => undefined,
    }),
    flush: () => Promise.resolve(),
  };
}

/** A server that exists only in a cache: to start it fails. */
export function unstartable(name: string, options: { readonly description?: string } = {}): McpServer {
  return McpServer.stdio(name, 'a-command-that-does-not-exist', [name], options);
}

export function hubKnowing(
  toolsOf: (server: string) => readonly string[] | undefined,
  options: HubOptions = {},
): InstanceType<typeof Hub> {
  return new Hub({ ...options, catalogs: knownCatalogs(toolsOf) });
}

function catalogOf(names: readonly string[]): Catalog {
  const listed = names.map((name) => ({
    name,
    description: `Does ${name.replaceAll('_', ' ')}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  }));
  return { ...parseTools(listed, listed.length), warnings: [] };
}
