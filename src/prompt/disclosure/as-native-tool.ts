import type { NativeTool } from '../../bridge/native-tool.ts';
import type { SectionTool } from '../section.ts';

// Its own caller limits it; ours only must not be faster.
const HANDLE_TIMEOUT_MS = 600_000;

/** A handle on another caller's tool as a tool that runs it, so that the policies of this prompt hold for it too. */
export function asNativeTool(tool: SectionTool): NativeTool {
  if ('execute' in tool) return tool;
  const { name, trust, description, inputSchema, outputSchema, annotations, schemaReport } = tool;
  return Object.freeze({
    name,
    tool: tool.tool,
    ...(tool.server !== undefined && { server: tool.server }),
    source: 'native',
    trust,
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    policies: [],
    timeoutMs: HANDLE_TIMEOUT_MS,
    schemaReport,
    execute: async (args, context) => {
      const { signal, deadline } = context;
      const report = await tool.run(args, {
        signal,
        deadline,
        isPart: true,
        within: context,
        onProgress: (told) => context.progress(told),
      });
      const { content, structuredContent, success, message } = report;
      // What went wrong is in the message, which is not always among the content.
      if (!success) return { content: [{ type: 'text', text: message }], isError: true };
      return { content, ...(structuredContent !== undefined && { structuredContent }), isError: false };
    },
  } satisfies NativeTool);
}
