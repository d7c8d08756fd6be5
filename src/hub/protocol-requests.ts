import type { Content, ResourceContents } from '../call/content.ts';
import type { CallToolResult } from '../call/tool-result.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { ProtocolRequest } from '../connection/protocol-request.ts';
import type { ToolDefinition } from '../tools/tool-definition.ts';

/** What `prompts/get` returns. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
}

/** `tools/call`, and how its result is read. */
export function callToolRequest(
  spec: ToolDefinition,
  args: JsonObject,
  meta?: JsonObject,
): ProtocolRequest<CallToolResult> {
  const { tool: name, inputSchema } = spec;
  const request = { method: 'tools/call', params: { name, arguments: args }, meta, parse: parseCallToolResult };
  return spec.mirrorsArguments ? { ...request, mirrored: { name, inputSchema } } : request;
}

export function readResourceRequest(uri: string): ProtocolRequest<readonly ResourceContents[]> {
  return {
    method: 'resources/read',
    params: { uri },
    parse: (result) => requireArray(result['contents'], 'contents').map(parseContents),
  };
}

export function getPromptRequest(name: string, args: JsonObject): ProtocolRequest<PromptResult> {
  return { method: 'prompts/get', params: { name, arguments: args }, parse: parsePromptResult };
}

/** Reads what a tool has answered; throws if it cannot be used. */
export function parseCallToolResult(result: JsonObject): CallToolResult {
  const { content = [], structuredContent, isError } = result as { content?: unknown } & JsonObject;
  const pieces = requireArray(content, 'content');
  for (let index = 0; index < pieces.length; index += 1) parseContent(pieces[index], index);
  const parsed = { content: pieces as readonly Content[], isError: isError === true };
  return structuredContent === undefined ? parsed : { ...parsed, structuredContent };
}

function parsePromptResult(result: JsonObject): PromptResult {
  const description = result['description'];
  const messages = requireArray(result['messages'], 'messages').map((message, index): PromptMessage => {
    const { role, content } = requireObject(message, `messages[${index}]`) as { role?: unknown; content?: unknown };
    if (role !== 'user' && role !== 'assistant')
      throw new TypeError(`messages[${index}].role is ${JSON.stringify(role)}`);
    return { role, content: parseContent(content, index) };
  });
  return { ...(typeof description === 'string' && { description }), messages };
}

function parseContent(piece: unknown, index: number): Content {
  const content = requireObject(piece, `content[${index}]`);
  if (typeof content['type'] !== 'string')
    throw new TypeError(`content[${index}].type is ${JSON.stringify(content['type'])}`);
  return content as unknown as Content;
}

function parseContents(piece: unknown, index: number): ResourceContents {
  const contents = requireObject(piece, `contents[${index}]`);
  if (typeof contents['uri'] !== 'string')
    throw new TypeError(`contents[${index}].uri is ${JSON.stringify(contents['uri'])}`);
  return contents as unknown as ResourceContents;
}

function requireArray(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${field} is ${value === null ? 'null' : typeof value}, not an array`);
}

function requireObject(value: unknown, field: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new TypeError(`${field} is ${value === null ? 'null' : typeof value}, not an object`);
}
