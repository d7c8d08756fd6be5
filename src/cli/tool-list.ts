import type { JsonObject, ToolAnnotations } from '../call/tool-ref.ts';
import type { Hub } from '../hub/hub.ts';
import type { QuarantinedSpec } from '../hub/registry.ts';
import { DEFAULT_NAMING, toolName } from '../tools/tool-name.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';

/** One tool as `fairlead tools --json` prints it. */
export interface ListedTool {
  /** What an agent sees. */
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Why no agent is offered it. */
  readonly quarantined?: string;
}

/** What is listed of some servers, and how many tools are not because policies refuse them. */
export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly refused: number;
}

/** The tools of some servers, in the servers' order, what is held back last. */
export function listTools(hub: Hub, servers: readonly string[], isRefused: (tool: ToolSpec) => boolean): ToolList {
  let refused = 0;
  const tools = servers.flatMap((server) => {
    const known = hub.tools(server);
    const kept = known.filter((tool) => !isRefused(tool));
    refused += known.length - kept.length;
    return [...kept.map(offered), ...hub.quarantinedTools(server).map((tool) => heldBack(hub, tool))];
  });
  return { tools, refused };
}

function offered({ name, server, tool, description, inputSchema, annotations }: ToolSpec): ListedTool {
  return { name, server, tool, description, inputSchema, ...(annotations && { annotations }) };
}

function heldBack(hub: Hub, { server, tool, reason }: QuarantinedSpec): ListedTool {
  const known = hub.serverStatus(server).tools.find((each) => each.name === tool);
  return {
    name: toolName(DEFAULT_NAMING, hub.server(server), tool),
    server,
    tool,
    description: known?.description ?? '',
    inputSchema: { type: 'object' },
    quarantined: reason,
  };
}
