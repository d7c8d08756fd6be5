import type { JsonObject, ToolAnnotations, ToolRef } from '../call/tool-ref.ts';
import { McpError } from '../errors.ts';
import { DEFAULT_HUB_LIMITS } from '../hub/hub-limits.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import type { CallReport } from './call-report.ts';
import { defineTool } from './native-tool.ts';
import type { NativeTool, ToolReply } from './native-tool.ts';
import type { ToolContext } from './tool-context.ts';

/** A server's tool as `caller.tools()` or `hub.tools()` give it. */
export interface WrappableTool extends ToolRef {
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

export interface WrapOptions {
  /** The tool's own name unless said; the wrapped tool then takes its place, and agents no longer see the bare one. */
  readonly name?: string;
  readonly description?: string;
  /** Decide on the wrapped tool, before the handler runs; those on the bare tool decide on the call inside. */
  readonly policies?: readonly ToolPolicy[];
  /** The author's own word on what the wrapped tool does; a trusted server's hints unless said. */
  readonly annotations?: ToolAnnotations;
  /** For handler and call together; the call has its server's own limit besides. */
  readonly timeoutMs?: number;
  /** What happens instead of the bare call. */
  readonly handler?: WrapHandler;
}

export type WrapHandler = (
  params: JsonObject,
  inside: {
    /** Calls the bare tool as part of this call, with the same arguments unless others are given. */
    readonly call: (args?: JsonObject) => Promise<CallReport>;
    readonly context: ToolContext;
  },
) => WrapReply | Promise<WrapReply>;

/** What a native tool may return, or the inner call's report as it is. */
export type WrapReply = ToolReply | CallReport;

/** Makes a native tool of a server's tool: with its own policies, transaction and handler. */
export function wrapTool(tool: WrappableTool, options: WrapOptions = {}): NativeTool {
  const { server, outputSchema } = tool;
  if (server === undefined) {
    throw new McpError('TOOL_INVALID', `${tool.name} is a native tool already; only tools of servers can be wrapped`);
  }
  const { handler } = options;
  const annotations = options.annotations ?? (tool.trust === 'trusted' ? tool.annotations : undefined);
  return defineTool({
    name: options.name ?? tool.name,
    description: options.description ?? tool.description,
    params: tool.inputSchema,
    // Only the bare tool's own result keeps its promise.
    ...(outputSchema && !handler && { outputSchema }),
    ...(annotations && { annotations }),
    policies: options.policies ?? [],
    timeoutMs: options.timeoutMs ?? DEFAULT_HUB_LIMITS.callTotalMs,
    handler: async (params, context) => {
      const call = (args: JsonObject = params): Promise<CallReport> =>
        context.call({ server, tool: tool.tool }, args, { onProgress: (progress) => context.progress(progress) });
      return toReply(await (handler ? handler(params, { call, context }) : call()));
    },
  });
}

/** A call inside that failed has failed the call around it too, unless the handler says otherwise. */
function toReply(reply: WrapReply): ToolReply {
  if (typeof reply !== 'object' || !('success' in reply)) return reply;
  const { success, content, structuredContent } = reply;
  return { content, ...(structuredContent !== undefined && { structuredContent }), isError: !success };
}
