import type { JsonObject, ToolAnnotations, ToolRef } from '../call/tool-ref.ts';
import type { CallOptions, ToolAddress } from './call-options.ts';
import type { CallableTool } from './call-plan.ts';
import type { CallReport } from './call-report.ts';

/** A tool as an agent uses it: what it is, and how to run it. It keeps working whatever becomes of its server's connection. */
export interface Tool extends ToolRef {
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Every step at which something of the tool's schemas was lost. */
  readonly schemaReport: readonly string[];
  /** Runs the whole pipeline; never throws. */
  run(args?: JsonObject, options?: CallOptions): Promise<CallReport>;
}

/** Whoever makes calls. */
interface Calls {
  call(address: ToolAddress, args?: JsonObject, options?: CallOptions): Promise<CallReport>;
}

/** A handle that finds its tool anew at each run, by what does not change about it. */
export function toTool(caller: Calls, tool: CallableTool, schemaReport: readonly string[]): Tool {
  const { name, source, trust, description, inputSchema, outputSchema, annotations } = tool;
  const address: ToolAddress = tool.source === 'mcp' ? { server: tool.server, tool: tool.tool } : name;
  return {
    name,
    tool: tool.tool,
    ...(tool.source === 'mcp' && { server: tool.server }),
    source,
    trust,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    schemaReport,
    run: (args, options) => caller.call(address, args, options),
  };
}
