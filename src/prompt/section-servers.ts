import { McpServer } from '../config/server.ts';
import { PromptValidationError } from './prompt-errors.ts';

/** The servers of one section, checked: really servers, no two of one name. */
export function requireServers(mcps: readonly unknown[], section: string): readonly McpServer[] {
  const names = new Set<string>();
  const servers = [...mcps].map((server) => {
    if (!(server instanceof McpServer)) throw new TypeError('Section mcps must be MCPServer instances.');
    if (names.has(server.name)) {
      throw new PromptValidationError(`it declares two servers called '${server.name}'; keep one`, { section });
    }
    names.add(server.name);
    return server;
  });
  return Object.freeze(servers);
}

/** Placeholders in a server's args, which reach the server as they are written. */
export function placeholdersInArgs({ transport }: McpServer, fields: ReadonlySet<string>): readonly string[] {
  if (transport.kind !== 'stdio') return [];
  return transport.args.flatMap((text) => {
    if (!text.includes('$')) return [];
    const found = [...text.matchAll(PLACEHOLDER)].filter(
      // Args of a file that expands them mean the environment.
      ([, braced, bare]) => fields.has(bare ?? braced ?? '') || (bare === undefined && transport.expandsArgs !== true),
    );
    return found.map(([whole]) => whole);
  });
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;
