import { isJsonObject } from '../call/json-object.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { Scrubber } from '../redaction.ts';
import { stripHidden } from '../tools/hidden-characters.ts';
import { parseTools } from '../tools/tool-definition.ts';
import type { QuarantinedTool, ToolDefinition } from '../tools/tool-definition.ts';
import { listPages } from './list-pages.ts';
import type { CacheHints } from './list-freshness.ts';
import type { ListName, ProtocolClient } from './protocol-client.ts';
import type { RequestOptions } from './protocol-request.ts';

/** What a server offers, as it was last listed without a mistake. */
export interface Catalog {
  readonly tools: readonly ToolDefinition[];
  readonly quarantined: readonly QuarantinedTool[];
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ResourceTemplate[];
  readonly prompts?: readonly Prompt[];
  /** Whether the lists may be shown to other principals; as narrow as the narrowest of them. */
  readonly cacheScope?: 'public' | 'private';
  /** What was odd about the lists. */
  readonly warnings: readonly string[];
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface CatalogLimits {
  readonly maxPages: number;
  readonly maxTools: number;
}

export const DEFAULT_CATALOG_LIMITS: CatalogLimits = { maxPages: 100, maxTools: 512 };

export const EMPTY_CATALOG: Catalog = { tools: [], quarantined: [], warnings: [] };

/** How lists are asked for. */
export interface ListContext {
  readonly client: ProtocolClient;
  readonly limits: CatalogLimits;
  readonly options: RequestOptions;
  /** A server may put what it was given into its own texts. */
  readonly scrubber: Scrubber;
  /** Is told what the server says about keeping the list that was just read. */
  readonly onHints: (list: ListName, hints: CacheHints) => void;
}

export async function listTools(context: ListContext): Promise<Pick<Catalog, 'tools' | 'quarantined' | 'warnings'>> {
  if (!context.client.offers('tools')) return EMPTY_CATALOG;
  const { entries, stopped } = await list(context, 'tools/list', 'tools');
  const warnings = stopped === undefined ? [] : [`tools/list: ${stopped}; ${entries.length} tools were read`];
  return { ...parseTools(entries, context.limits.maxTools), warnings };
}

export async function listResources(context: ListContext): Promise<readonly Resource[]> {
  if (!context.client.offers('resources')) return [];
  const entries = await listObjects(context, 'resources/list', 'resources');
  return entries.flatMap((entry) => {
    const text = textFields(entry, ['title', 'description', 'mimeType']);
    const { uri, name, size } = entry;
    if (typeof uri !== 'string') return [];
    return [
      {
        uri,
        name: stripHidden(typeof name === 'string' ? name : uri),
        ...text,
        ...(typeof size === 'number' && { size }),
      },
    ];
  });
}

export async function listTemplates(context: ListContext): Promise<readonly ResourceTemplate[]> {
  if (!context.client.offers('resources')) return [];
  const entries = await listObjects(context, 'resources/templates/list', 'resourceTemplates');
  return entries.flatMap((entry) => {
    const text = textFields(entry, ['title', 'description', 'mimeType']);
    const { uriTemplate, name } = entry;
    if (typeof uriTemplate !== 'string') return [];
    return [{ uriTemplate, name: stripHidden(typeof name === 'string' ? name : uriTemplate), ...text }];
  });
}

export async function listPrompts(context: ListContext): Promise<readonly Prompt[]> {
  if (!context.client.offers('prompts')) return [];
  const entries = await listObjects(context, 'prompts/list', 'prompts');
  return entries.flatMap((entry) => {
    const { name, arguments: given } = entry;
    if (typeof name !== 'string' || name === '') return [];
    const parsed = Array.isArray(given) ? given.filter(isEntry).flatMap(parseArgument) : [];
    return [{ name, ...textFields(entry, ['title', 'description']), arguments: parsed }];
  });
}

const LIST_NAMES = { tools: 'tools', resources: 'resources', prompts: 'prompts' } as const;

async function list(context: ListContext, method: string, key: string): ReturnType<typeof listPages> {
  const fetchPage = (params: JsonObject): Promise<JsonObject> =>
    context.client.request({ method, params, parse: (result) => result }, context.options);
  const pages = await listPages(key, fetchPage, context.limits.maxPages);
  const entries = context.scrubber.scrubValue(pages.entries);
  if (key in LIST_NAMES) context.onHints(LIST_NAMES[key as keyof typeof LIST_NAMES], pages.hints);
  return { ...pages, entries };
}

async function listObjects(context: ListContext, method: string, key: string): Promise<readonly Entry[]> {
  const { entries } = await list(context, method, key);
  return entries.filter(isEntry);
}

interface Entry extends JsonObject {
  readonly name?: unknown;
  readonly uri?: unknown;
  readonly uriTemplate?: unknown;
  readonly size?: unknown;
  readonly arguments?: unknown;
  readonly required?: unknown;
}

function isEntry(entry: unknown): entry is Entry {
  return isJsonObject(entry);
}

function parseArgument(argument: Entry): readonly PromptArgument[] {
  const { name, required } = argument;
  if (typeof name !== 'string') return [];
  return [{ name, ...textFields(argument, ['description']), ...(typeof required === 'boolean' && { required }) }];
}

function textFields<Key extends string>(entry: Entry, keys: readonly Key[]): { [K in Key]?: string } {
  const fields: { [K in Key]?: string } = {};
  for (const key of keys) {
    const value = entry[key];
    if (typeof value === 'string') fields[key] = stripHidden(value);
  }
  return fields;
}
