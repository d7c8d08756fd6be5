import type { Content } from '../call/content.ts';
import { isJsonObject } from '../call/json-object.ts';
import type { CallToolResult } from '../call/tool-result.ts';
import type { JsonObject, ToolAnnotations, ToolRef } from '../call/tool-ref.ts';
import { McpError } from '../errors.ts';
import { parseCallToolResult } from '../hub/protocol-requests.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { paramsOf } from './params-schema.ts';
import type { ParamsSchema, ParamsValue } from './params-schema.ts';
import type { ToolContext } from './tool-context.ts';

/** What a handler may return: text, content, or a value that is sent as structured content. */
export type ToolReply =
  | string
  | undefined
  | {
      readonly content?: readonly Content[];
      readonly structuredContent?: unknown;
      /** True says that the tool failed; its text is what the model reads. */
      readonly isError?: boolean;
    };

/** What is said of a tool that is a function of ours. */
export interface NativeToolDefinition<Schema extends ParamsSchema> {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema, or a schema of any library that can say itself as one, such as zod. */
  readonly params: Schema;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Decide on this tool alone. */
  readonly policies?: readonly ToolPolicy[];
  readonly timeoutMs?: number;
  readonly handler: (params: ParamsValue<Schema>, context: ToolContext) => ToolReply | Promise<ToolReply>;
}

/** A tool that is a function of ours; made with `defineTool`. */
export interface NativeTool extends ToolRef {
  readonly source: 'native';
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly policies: readonly ToolPolicy[];
  readonly timeoutMs: number;
  readonly schemaReport: readonly string[];
  /** Runs the handler on arguments that were validated. */
  execute(args: JsonObject, context: ToolContext): Promise<CallToolResult>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Makes a tool of a function; it runs the same pipeline as every other tool. */
export function defineTool<const Schema extends ParamsSchema>(definition: NativeToolDefinition<Schema>): NativeTool {
  const { name, description, annotations, outputSchema } = definition;
  if (!NAME.test(name)) {
    throw new McpError('TOOL_INVALID', `a tool cannot be called '${name}': letters, digits, _ and -, at most 64`);
  }
  const params = paramsOf(definition.params, name);
  return Object.freeze({
    name,
    tool: name,
    source: 'native',
    trust: 'trusted',
    description,
    inputSchema: params.jsonSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    policies: definition.policies ?? [],
    timeoutMs: definition.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    schemaReport: [],
    execute: async (args: JsonObject, context: ToolContext): Promise<CallToolResult> =>
      toAnswer(await definition.handler((await params.parse(args)) as ParamsValue<Schema>, context)),
  } as const);
}

function toAnswer(reply: ToolReply): CallToolResult {
  if (reply === undefined) return { content: [], isError: false };
  if (typeof reply === 'string') return { content: [{ type: 'text', text: reply }], isError: false };
  if (!isJsonObject(reply)) throw new TypeError(`a tool returns text, content or nothing, not ${typeof reply}`);
  const { structuredContent, isError = false } = reply;
  const text = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const content = reply.content ?? (text === undefined ? [] : [{ type: 'text', text }]);
  // As a server's answer is: whoever reads it must not stumble over what no type check has seen.
  return parseCallToolResult({ content: asJson(content), structuredContent, isError });
}

function asJson(content: unknown): unknown {
  JSON.stringify(content);
  return content;
}
