import { isJsonObject } from '../call/json-object.ts';
import type { Mutable } from '../call/mutable.ts';
import type { JsonObject, ToolAnnotations } from '../call/tool-ref.ts';
import { headerParameters } from './header-parameters.ts';
import { stripHidden } from './hidden-characters.ts';

/** One tool as its server defines it, checked and made safe to show. */
export interface ToolDefinition {
  /** The server's own name, exactly as a call must spell it. */
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Some arguments travel as HTTP headers too; the input schema says which. */
  readonly mirrorsArguments?: true;
  /** Every step at which something of the server's definition was lost. */
  readonly schemaReport: readonly string[];
}

/** A tool that is not offered, and why. */
export interface QuarantinedTool {
  /** The server's name for it, or its place in the list when it has none. */
  readonly tool: string;
  readonly reason: string;
}

export interface ParsedTools {
  readonly tools: readonly ToolDefinition[];
  readonly quarantined: readonly QuarantinedTool[];
}

const OPEN_OBJECT: JsonObject = { type: 'object' };
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const MAX_NAME_LENGTH = 256;
// Deeper than any real schema, and far from what would overflow the stack of those who walk it.
const MAX_SCHEMA_DEPTH = 100;

/** Reads a server's tool list; one bad entry never costs the others. */
export function parseTools(entries: readonly unknown[], maxTools: number): ParsedTools {
  const tools = new Map<string, ToolDefinition>();
  const quarantined: QuarantinedTool[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = isJsonObject(entry) ? entry['name'] : undefined;
    if (!isJsonObject(entry) || !isUsableName(name)) {
      quarantined.push({ tool: `#${index + 1}`, reason: `has no usable name: ${describeName(name)}` });
    } else if (tools.has(name)) {
      quarantined.push({ tool: name, reason: 'the server lists this name twice; the first is kept' });
    } else if (tools.size >= maxTools) {
      quarantined.push({ tool: name, reason: `the server lists more than ${maxTools} tools` });
    } else {
      const definition = parseTool(name, entry);
      const headers = headerParameters(definition.inputSchema);
      if (headers.kind === 'invalid') quarantined.push({ tool: name, reason: headers.reason });
      else tools.set(name, headers.count > 0 ? { ...definition, mirrorsArguments: true } : definition);
    }
  }
  return { tools: [...tools.values()], quarantined: cutList(quarantined, maxTools) };
}

/** A name goes back to the server exactly as it came, so it cannot be cleaned: it is fit to be shown or it is not. */
function isUsableName(name: unknown): name is string {
  return typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME_LENGTH && stripHidden(name) === name;
}

function describeName(name: unknown): string {
  if (typeof name !== 'string') return kindOf(name);
  if (name.length > MAX_NAME_LENGTH) return `it has ${name.length} characters`;
  return stripHidden(name) === name
    ? JSON.stringify(name)
    : `${JSON.stringify(stripHidden(name))} with hidden characters`;
}

function cutList(quarantined: readonly QuarantinedTool[], limit: number): readonly QuarantinedTool[] {
  const more = quarantined.length - limit;
  if (more <= 0) return quarantined;
  return [
    ...quarantined.slice(0, limit),
    { tool: `${more} more`, reason: 'the list of what is not offered ends here' },
  ];
}

function parseTool(name: string, entry: JsonObject): ToolDefinition {
  const report: string[] = [];
  const outputSchema = parseOutputSchema(entry['outputSchema'], report);
  const annotations = parseAnnotations(entry['annotations']);
  const title = entry['title'];
  return {
    tool: name,
    ...(typeof title === 'string' && { title: stripHidden(title) }),
    description: typeof entry['description'] === 'string' ? stripHidden(entry['description']) : '',
    inputSchema: parseInputSchema(entry['inputSchema'], report),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    schemaReport: report,
  };
}

function parseInputSchema(schema: unknown, report: string[]): JsonObject {
  if (!isJsonObject(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) {
    report.push(`inputSchema is ${kindOf(schema)}, not an object schema; any object is accepted instead`);
    return OPEN_OBJECT;
  }
  if (!nestsTooDeep(schema, 0)) return withCleanTexts(schema);
  report.push(`inputSchema nests deeper than ${MAX_SCHEMA_DEPTH} levels; any object is accepted instead`);
  return OPEN_OBJECT;
}

function parseOutputSchema(schema: unknown, report: string[]): JsonObject | undefined {
  if (schema === undefined) return undefined;
  if (isJsonObject(schema) && !nestsTooDeep(schema, 0)) return withCleanTexts(schema);
  const problem = isJsonObject(schema)
    ? `nests deeper than ${MAX_SCHEMA_DEPTH} levels`
    : `is ${kindOf(schema)}, not a schema`;
  report.push(`outputSchema ${problem}; results are not checked`);
  return undefined;
}

function nestsTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_SCHEMA_DEPTH || Object.values(value).some((item) => nestsTooDeep(item, depth + 1));
}

/** Titles and descriptions are read by models; every other text in a schema decides what is valid and stays. */
function withCleanTexts<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withCleanTexts) as Value;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, item]) => {
    const isText = typeof item === 'string' && (key === 'description' || key === 'title');
    return [key, isText ? stripHidden(item) : withCleanTexts(item)];
  });
  return Object.fromEntries(fields) as Value;
}

function parseAnnotations(annotations: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const parsed: Mutable<ToolAnnotations> = {};
  if (typeof annotations['title'] === 'string') parsed.title = stripHidden(annotations['title']);
  for (const hint of HINTS) {
    const value = annotations[hint];
    if (typeof value === 'boolean') parsed[hint] = value;
  }
  return Object.keys(parsed).length === 0 ? undefined : parsed;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (!isJsonObject(value)) return `a ${typeof value}`;
  return typeof value['type'] === 'string'
    ? `of type ${JSON.stringify(value['type'].slice(0, MAX_NAME_LENGTH))}`
    : 'of no single type';
}
