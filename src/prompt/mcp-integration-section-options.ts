import type { CallerOptions } from '../bridge/caller.ts';
import type { McpServer } from '../config/server.ts';
import { McpError } from '../errors.ts';
import type { Session } from '../session/session.ts';
import type { ViewSource } from './disclosure/catalog-book.ts';
import type { InventoryVariables } from './mcp-inventory.ts';
import type { CheckedTemplate } from './placeholder-names.ts';
import type { SectionOptions } from './section.ts';
import { requireServers } from './section-servers.ts';

/** What an integration section is made of; all but servers and session may be left out. */
export interface McpIntegrationOptions<Fields extends object = object, Template extends string = string> extends Omit<
  SectionOptions<Fields>,
  'title' | 'key' | 'mcps'
> {
  readonly servers: readonly McpServer[];
  /** Whose state and events the calls belong to. */
  readonly session: Session;
  /** Shares connections with the other sections and sessions on it; without one the section has a hub to itself. */
  readonly hub?: ViewSource;
  /** `MCP Integrations` unless said. */
  readonly title?: string;
  /** `mcp.integrations` unless said. */
  readonly key?: string;
  /** Instead of the inventory; may name `server_names`, `tool_count`, `tools_by_server` and fields of the params. */
  readonly template?: CheckedTemplate<Template, NoInfer<Fields> & InventoryVariables>;
  /** Starts to connect at once; `ready` tells when that is done. */
  readonly connectOnInit?: boolean;
  /** `skip` leaves out a server that does not connect; unless said, it fails all. */
  readonly onFailure?: 'throw' | 'skip';
  /** How calls are made, such as who approves them; results come whole, and whoever shows them to a model cuts them. */
  readonly calls?: Omit<CallerOptions, 'hub' | 'session' | 'tools' | 'sectionPolicies' | 'resultCharacters'>;
}

/** Stricter than elsewhere, because here the name begins the names of tools (document 001). */
export const INTEGRATION_NAME_PATTERN: RegExp = /^[a-z][a-z0-9_-]{0,31}$/;

/** The servers of an integration section, checked. */
export function requireIntegrations(servers: readonly McpServer[], section: string): readonly McpServer[] {
  const checked = requireServers(servers, section);
  for (const { name } of checked) {
    if (INTEGRATION_NAME_PATTERN.test(name)) continue;
    throw new McpError(
      'SERVER_INVALID',
      `Invalid MCP server name '${name}'. Must match pattern: ${INTEGRATION_NAME_PATTERN.source}`,
    );
  }
  return checked;
}
