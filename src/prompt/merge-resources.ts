import { McpConnectionPool } from '../bridge/mcp-connection-pool.ts';
import { bind } from '../session/resource-binding.ts';
import type { Binding } from '../session/resource-binding.ts';
import type { ResourceKey } from '../session/resource-key.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';

/** The resources of a template and its sections: the later binding of a key counts, but pools are joined, since each section has one. */
export function mergeResources(registries: readonly ResourceRegistry[]): ResourceRegistry {
  const byKey = new Map<ResourceKey<unknown>, Binding>();
  const pools: Binding<McpConnectionPool>[] = [];
  for (const { bindings } of registries) {
    for (const binding of bindings) {
      byKey.set(binding.key, binding);
      if (isPool(binding)) pools.push(binding);
    }
  }
  if (pools.length > 1) byKey.set(McpConnectionPool, joined(pools));
  return ResourceRegistry.of(...byKey.values());
}

function isPool(binding: Binding): binding is Binding<McpConnectionPool> {
  return binding.key === McpConnectionPool;
}

function joined(pools: readonly Binding<McpConnectionPool>[]): Binding<McpConnectionPool> {
  return bind(McpConnectionPool, (resources) =>
    McpConnectionPool.join(pools.map(({ provider }) => provider(resources))),
  );
}
