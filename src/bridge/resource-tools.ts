import type { Content, ResourceContents } from '../call/content.ts';
import type { Resource, ResourceTemplate } from '../connection/catalog.ts';
import { McpError, messageOf } from '../errors.ts';
import type { Hub } from '../hub/hub.ts';
import { defineTool } from './native-tool.ts';
import type { NativeTool } from './native-tool.ts';

/** What `ListMcpResources` answers, as structured content and as its text. */
export interface ListedResources {
  readonly resources: readonly (Resource & { readonly server: string })[];
  readonly templates: readonly (ResourceTemplate & { readonly server: string })[];
  /** Why servers could not be asked, by name; absent if all could. */
  readonly errors?: Readonly<Record<string, string>>;
}

const LIST_PARAMS = {
  type: 'object',
  properties: { server: { type: 'string', description: 'Only the resources of this server.' } },
  additionalProperties: false,
} as const;

const READ_PARAMS = {
  type: 'object',
  properties: {
    server: { type: 'string', description: 'The server that has the resource.' },
    uri: { type: 'string', description: "The resource's uri, as listed or made from a template." },
  },
  required: ['server', 'uri'],
  additionalProperties: false,
} as const;

/** `ListMcpResources` and `ReadMcpResource`: how an agent gets at the resources of a hub's servers. */
export function resourceTools(hub: Hub): readonly NativeTool[] {
  return [listTool(hub), readTool(hub)];
}

function listTool(hub: Hub): NativeTool {
  return defineTool({
    name: 'ListMcpResources',
    description: 'Lists the resources, and templates of resources, that MCP servers offer: of all servers, or of one.',
    params: LIST_PARAMS,
    annotations: { readOnlyHint: true },
    handler: async (params, { signal }) => {
      const { server } = params as { server?: string };
      if (server === undefined) return { structuredContent: await listAll(hub, signal) };
      requireServer(hub, server);
      return { structuredContent: await listOne(hub, server, signal) };
    },
  });
}

function readTool(hub: Hub): NativeTool {
  return defineTool({
    name: 'ReadMcpResource',
    description: 'Reads one resource of an MCP server.',
    params: READ_PARAMS,
    annotations: { readOnlyHint: true },
    handler: async (params, { signal }) => {
      const { server, uri } = params as { server: string; uri: string };
      requireServer(hub, server);
      const parts = await hub.readResource(server, uri, { signal });
      const embedded = parts.map((resource): Content => ({ type: 'resource', resource }));
      return { content: [{ type: 'text', text: summarise(uri, parts) }, ...embedded] };
    },
  });
}

/** A server that cannot be asked costs the others nothing; one that was taken out of use is not started for this. */
async function listAll(hub: Hub, signal: AbortSignal): Promise<ListedResources> {
  const inUse = hub.status().filter(({ phase }) => phase !== 'disabled' && phase !== 'disconnected');
  const names = inUse.map(({ name }) => name);
  const answers = await Promise.allSettled(names.map((name) => listOne(hub, name, signal)));
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const errors = answers.flatMap((answer, index) =>
    answer.status === 'rejected' ? [[names[index] ?? '', messageOf(answer.reason)] as const] : [],
  );
  return {
    resources: lists.flatMap(({ resources }) => resources),
    templates: lists.flatMap(({ templates }) => templates),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
  };
}

async function listOne(hub: Hub, server: string, signal: AbortSignal): Promise<ListedResources> {
  const { resources, templates } = await hub.listResources(server, { signal });
  return {
    resources: resources.map((resource) => ({ server, ...resource })),
    templates: templates.map((template) => ({ server, ...template })),
  };
}

function requireServer(hub: Hub, server: string): void {
  const names = hub.servers().map(({ name }) => name);
  if (names.includes(server)) return;
  const message = `no server is called '${server}' (there are: ${names.join(', ') || 'none'})`;
  throw new McpError('ARGUMENTS_INVALID', message, { server });
}

/** What a model should know before the contents, which follow as they came. */
function summarise(uri: string, parts: readonly ResourceContents[]): string {
  if (parts.length === 0) return `${uri} is empty.`;
  const kinds = parts.map(({ mimeType, blob }) => mimeType ?? (blob === undefined ? 'text' : 'binary'));
  return `${uri} (${kinds.join(', ')}):`;
}
