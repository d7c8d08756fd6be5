import type { ResourceContents } from '../call/content.ts';
import type { Progress } from '../call/progress.ts';
import type { CallToolResult } from '../call/tool-result.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { McpServer } from '../config/server.ts';
import type { Prompt } from '../connection/catalog.ts';
import type { ResourceLists } from '../connection/catalog-keeper.ts';
import type { ServerRequestHandlers } from '../connection/server-requests.ts';
import type { Scrubber } from '../redaction.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import type { HubEvents } from './hub-events.ts';
import type { PromptResult } from './protocol-requests.ts';
import type { QuarantinedSpec } from './registry.ts';
import type { ServerStatus } from './server-status.ts';

/** Many servers under their names: what everything above talks to, wherever the servers run. */
export interface Hub extends AsyncDisposable {
  /** Knows every secret that was resolved; whoever writes something down passes it through here. */
  readonly scrubber: Scrubber;
  /** Connects one server, declaring or replacing it when a definition is given; throws if it cannot. */
  connect(name: string, server?: McpServer, options?: WaitOptions): Promise<ServerStatus>;
  /** Connects every server that is not switched off or disconnected; failures are in the statuses. */
  connectAll(options?: WaitOptions): Promise<readonly ServerStatus[]>;
  /** Ends one connection: its tools and its process are gone until `connect` is called again. */
  disconnect(name: string): Promise<void>;
  reconnect(name: string, options?: WaitOptions): Promise<ServerStatus>;
  /** Hides a server's tools and refuses calls, or shows them again; the connection stays. */
  toggle(name: string, enabled: boolean): void;
  /** Replaces the set of servers; those whose definition is the same keep their connection. */
  setServers(servers: Iterable<McpServer>, options?: SetServersOptions): Promise<SetServersResult>;
  status(): readonly ServerStatus[];
  serverStatus(name: string): ServerStatus;
  /** The definition a name stands for. */
  server(name: string): McpServer;
  /** All definitions, in the order of declaration. */
  servers(): readonly McpServer[];
  /** Starts the server as a call to it would, so that its tools are known. */
  wake(server: string, options?: WaitOptions & { readonly timeoutMs?: number }): Promise<void>;
  /** Servers of which no tool can be seen now, and that may have one of this name. */
  mayHave(name: string): readonly string[];
  /** The tools that agents are offered, in the order of declaration. */
  tools(server?: string): readonly ToolSpec[];
  quarantinedTools(server?: string): readonly QuarantinedSpec[];
  /** The tool behind a name that an agent sees. */
  findTool(name: string): ToolSpec | undefined;
  /** The name an agent sees for a server's tool, whether or not the tool is known. */
  toolName(server: string, tool: string): string;
  /** The raw door to a tool: no validation, no policy, no event. */
  callTool(server: string, tool: string, request?: CallRequest): Promise<CallToolResult>;
  listResources(server: string, options?: WaitOptions): Promise<ResourceLists>;
  readResource(server: string, uri: string, options?: WaitOptions): Promise<readonly ResourceContents[]>;
  /** Publishes `resource-changed` whenever the server says so; the returned function ends that. */
  followResource(server: string, uri: string, options?: WaitOptions): Promise<() => Promise<void>>;
  listPrompts(server: string, options?: WaitOptions): Promise<readonly Prompt[]>;
  getPrompt(server: string, name: string, request?: PromptRequest): Promise<PromptResult>;
  on<Type extends keyof HubEvents>(type: Type, listener: (event: HubEvents[Type]) => void): () => void;
  /** Ends every connection; calls in flight get `drainMs` to finish. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
}

export interface CallRequest extends WaitOptions {
  readonly arguments?: JsonObject;
  /** Instead of the server's own timeout. */
  readonly timeoutMs?: number;
  /** Progress extends the timeout up to this, from the start of the server on; the hub's own limit unless less. */
  readonly maxTotalMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Goes to the server beside the arguments, such as a trace. */
  readonly meta?: JsonObject;
  /** Who answers what the server asks while this call runs. */
  readonly handlers?: ServerRequestHandlers;
  /** The request is on its way; told again if it is sent again. */
  readonly onSent?: (() => void) | undefined;
}

export interface PromptRequest extends WaitOptions {
  readonly arguments?: Readonly<Record<string, string>>;
}

export interface SetServersOptions extends WaitOptions {
  /** False only declares the new servers; they start when they are needed. */
  readonly connect?: boolean;
}

export interface SetServersResult {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Why servers among the added and changed could not be connected. */
  readonly errors: Readonly<Record<string, string>>;
}
