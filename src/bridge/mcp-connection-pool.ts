import type { ResourceContents } from '../call/content.ts';
import type { CallToolResult } from '../call/tool-result.ts';
import type { Prompt } from '../connection/catalog.ts';
import type { ResourceLists } from '../connection/catalog-keeper.ts';
import type { CallRequest, Hub, PromptRequest, WaitOptions } from '../hub/hub.ts';
import type { PromptResult } from '../hub/protocol-requests.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import { bindInstance } from '../session/resource-binding.ts';
import type { Binding } from '../session/resource-binding.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';

/** One server as a native tool uses it: raw, with no policy and no event. `context.call` is the governed way. */
export interface McpConnection {
  readonly name: string;
  /** As it is now. */
  readonly status: ServerStatus;
  readonly tools: readonly ToolSpec[];
  callTool(tool: string, request?: CallRequest): Promise<CallToolResult>;
  listResources(options?: WaitOptions): Promise<ResourceLists>;
  readResource(uri: string, options?: WaitOptions): Promise<readonly ResourceContents[]>;
  listPrompts(options?: WaitOptions): Promise<readonly Prompt[]>;
  getPrompt(name: string, request?: PromptRequest): Promise<PromptResult>;
}

/** The connections of a hub, or of several, as a resource of tools; the class is the key. */
export class McpConnectionPool {
  readonly #hubs: readonly Hub[];

  /** Of servers with one name in several hubs that of the last is meant. */
  constructor(...hubs: readonly Hub[]) {
    this.#hubs = hubs;
  }

  /** One pool for the connections of all of these. */
  static join(pools: readonly McpConnectionPool[]): McpConnectionPool {
    return new McpConnectionPool(...pools.flatMap((pool) => pool.#hubs));
  }

  /** Lets tools find the hub's connections in their context; whoever made the hub closes it. */
  static over(hub: Hub): Binding<McpConnectionPool> {
    return bindInstance(McpConnectionPool, new McpConnectionPool(hub));
  }

  /** The connection to a declared server, which starts when it is used; undefined for an unknown name. */
  get(name: string): McpConnection | undefined {
    const hub = this.#hubs.findLast((each) => namesOf(each).includes(name));
    if (!hub) return undefined;
    return {
      name,
      get status() {
        return hub.serverStatus(name);
      },
      get tools() {
        return hub.tools(name);
      },
      callTool: (tool, request) => hub.callTool(name, tool, request),
      listResources: (options) => hub.listResources(name, options),
      readResource: (uri, options) => hub.readResource(name, uri, options),
      listPrompts: (options) => hub.listPrompts(name, options),
      getPrompt: (prompt, request) => hub.getPrompt(name, prompt, request),
    };
  }

  names(): readonly string[] {
    return [...new Set(this.#hubs.flatMap(namesOf))];
  }
}

function namesOf(hub: Hub): readonly string[] {
  return hub.servers().map(({ name }) => name);
}
