import { definitionHash } from '../../config/definition-hash.ts';
import type { McpServer } from '../../config/server.ts';

/** The servers of a run that goes on: those in use stay and keep their place, what was opened comes after. */
export function activeServers(inUse: readonly McpServer[], wanted: readonly McpServer[]): readonly McpServer[] {
  const byName = new Map(inUse.map((server) => [server.name, server]));
  for (const server of wanted) {
    const before = byName.get(server.name);
    // A name keeps its meaning within a run; only which of its tools are seen may change.
    if (!before || definitionHash(before) === definitionHash(server)) byName.set(server.name, server);
  }
  return [...byName.values()];
}
