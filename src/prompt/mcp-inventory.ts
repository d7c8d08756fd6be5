import { wholeCharacters } from '../bridge/result-store.ts';

/** A server and what it offers, as far as an inventory tells it. */
export interface ListedServer {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** What the template of an integration section may name besides its params. */
export interface InventoryVariables {
  /** The names of the connected servers, in the order of their declaration. */
  readonly server_names: string;
  readonly tool_count: number;
  /** A heading for each server, and a line for each of its tools. */
  readonly tools_by_server: string;
}

/** The body of an integration section that is given no template. */
export const INVENTORY_TEMPLATE = `The following external tools are available via MCP:

\${tools_by_server}`;

export const INVENTORY_NAMES: readonly (keyof InventoryVariables)[] = ['server_names', 'tool_count', 'tools_by_server'];

const MAX_DESCRIPTION = 200;

/** The values of an inventory whose headings stand below a section at this depth. */
export function inventoryOf(servers: readonly ListedServer[], depth: number): InventoryVariables {
  const mark = '#'.repeat(depth + 3);
  return {
    server_names: servers.map(({ name }) => name).join(', '),
    tool_count: servers.reduce((count, { tools }) => count + tools.length, 0),
    tools_by_server: servers.map(({ name, tools }) => `${mark} ${name}\n\n${listOf(tools)}`).join('\n\n'),
  };
}

function listOf(tools: ListedServer['tools']): string {
  if (tools.length === 0) return 'No tools.';
  return tools.map(({ name, description }) => `- \`${name}\`${suffixOf(description)}`).join('\n');
}

/** One line, because a list item has no more. */
function suffixOf(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? '' : ` - ${line.slice(0, wholeCharacters(line, MAX_DESCRIPTION)).trimEnd()}`;
}
