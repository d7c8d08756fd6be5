import { McpToolError } from '../errors.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import type { Registry } from './registry.ts';

/** A server's tool by the server's own name for it; throws if there is none, or it is held back. */
export function requireTool(registry: Registry, server: string, tool: string): ToolSpec {
  const spec = registry.byServer.get(server)?.get(tool);
  if (spec) return spec;
  const held = registry.quarantined.find((other) => other.server === server && other.tool === tool);
  if (held) {
    const message = `${server}: ${tool} is quarantined: ${held.reason}`;
    throw new McpToolError({ code: 'TOOL_QUARANTINED', server, tool, message });
  }
  throw new McpToolError({ code: 'TOOL_UNKNOWN', server, tool, message: `${server} has no tool called '${tool}'` });
}
