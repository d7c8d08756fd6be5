import type { McpServer } from '../../config/server.ts';
import { isOffered } from '../../tools/tool-filter.ts';
import type { HiddenSection } from '../closed-section.ts';
import type { SectionTool } from '../section.ts';
import type { ToolsOf } from './closed-outline.ts';

/** What stays offered although its section is closed. */
export interface PinnedParts {
  readonly tools: readonly SectionTool[];
  /** Servers; one of which only some tools are pinned lets only those through. */
  readonly servers: readonly McpServer[];
  /** The sections that have them. */
  readonly paths: readonly string[];
}

/** Finds what is pinned within closed sections. */
export function pinnedWithin(contents: readonly HiddenSection[], toolsOf: ToolsOf): PinnedParts {
  const tools: SectionTool[] = [];
  const servers: McpServer[] = [];
  const paths: string[] = [];
  for (const hidden of contents) {
    const ownTools = hidden.tools.filter(({ name }) => isPinned(hidden.pin, name));
    const ownServers = hidden.mcps.flatMap((server) => pinnedServer(server, hidden, toolsOf));
    tools.push(...ownTools);
    servers.push(...ownServers);
    if (ownTools.length > 0 || ownServers.length > 0) paths.push(hidden.path);
  }
  return { tools, servers, paths };
}

function isPinned(pin: boolean | readonly string[], name: string): boolean {
  return typeof pin === 'boolean' ? pin : pin.includes(name);
}

function pinnedServer(server: McpServer, { pin, tools }: HiddenSection, toolsOf: ToolsOf): readonly McpServer[] {
  if (server.pin === true || pin === true) return [server];
  const native = new Set(tools.map(({ name }) => name));
  const bySection = (pin || []).filter((name) => !native.has(name));
  const wanted = [...new Set([...(server.pin || []), ...bySection])].filter((name) => isOffered(server, name));
  const known = toolsOf(server);
  const names = known ? wanted.filter((name) => known.some(({ tool }) => tool === name)) : wanted;
  return names.length === 0 ? [] : [server.with({ enabledTools: names })];
}
