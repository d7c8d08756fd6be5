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

/** Whether no two of these servers share a name and none has an argument that could be taken for a template. */
export function areSettled(servers: readonly McpServer[]): boolean {
  const names = new Set(servers.map(({ name }) => name));
  const isPlain = ({ transport }: McpServer): boolean => transport.kind !== 'stdio' || !transport.args.some(hasDollar);
  return names.size === servers.length && servers.every(isPlain);
}

/** Placeholders in a server's args, which reach the server as they are written. */
export function placeholdersInArgs({ transport }: McpServer, fields: ReadonlySet<string>): readonly string[] {
  if (transport.kind !== 'stdio') return [];
  return transport.args.flatMap((text) => {
    if (!hasDollar(text)) return [];
    const found = [...text.matchAll(PLACEHOLDER)].filter(
      // Args of a file that expands them mean the environment.
      ([, braced, bare]) => fields.has(bare ?? braced ?? '') || (bare === undefined && transport.expandsArgs !== true),
    );
    return found.map(([whole]) => whole);
  });
}

function hasDollar(text: string): boolean {
  return text.includes('$');
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;
