import { createHash } from 'node:crypto';

/** How an agent-facing tool name is made; one style holds for a whole hub. */
export type NamingStyle = 'mcp__{server}__{tool}' | '{prefix}_{tool}' | 'mcp_{alias}_{tool}';

/** What of a server goes into the names of its tools. */
export interface NamedServer {
  readonly name: string;
  readonly toolPrefix?: string | undefined;
}

export const DEFAULT_NAMING: NamingStyle = 'mcp__{server}__{tool}';

// The strictest of the model providers allows this many, and only these characters.
const MAX_LENGTH = 64;
const UNPORTABLE = /[^a-zA-Z0-9_-]/g;
const HASH_LENGTH = 8;

/** The name an agent sees; it depends on nothing but style, server and tool. */
export function toolName(style: NamingStyle, server: NamedServer, tool: string): string {
  const parts: Readonly<Record<string, string>> = {
    '{server}': server.name,
    '{alias}': server.name,
    '{prefix}': server.toolPrefix ?? server.name,
    '{tool}': tool,
  };
  const name = style.replaceAll(/\{\w+\}/g, (place) => parts[place] ?? place).replaceAll(UNPORTABLE, '_');
  if (name.length <= MAX_LENGTH) return name;
  // The hash keeps names apart that share their first characters.
  const hash = createHash('sha256').update(`${server.name}\0${tool}`).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
