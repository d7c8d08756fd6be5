import { isSameServer } from '../../config/same-server.ts';
import type { McpServer } from '../../config/server.ts';
import type { Hub } from '../../hub/hub.ts';
import type { ServerStatus } from '../../hub/server-status.ts';
import type { ViewOptions } from '../../hub/view-options.ts';
import type { ToolSpec } from '../../tools/tool-spec.ts';

/** Where views come from: the hub of a process. */
export interface ViewSource {
  view(options?: ViewOptions): Hub;
}

/** What is known of the tools of servers, open or not, without starting any. */
export class CatalogBook implements AsyncDisposable {
  readonly #view: Hub;
  readonly #servers = new Map<string, McpServer>();
  /** What was seen of servers that have ended since. */
  readonly #seen = new Map<string, readonly ToolSpec[]>();
  #byServer: ReadonlyMap<string, readonly ToolSpec[]> | undefined;
  #version = 0;

  constructor(source: ViewSource, options: Omit<ViewOptions, 'servers'>) {
    // Looks on, so that a process which nobody uses any more can end.
    this.#view = source.view({ ...options, watches: true });
    this.#view.on('tools-changed', () => this.#forget());
  }

  /** Another number whenever what is known has changed. */
  get version(): number {
    return this.#version;
  }

  /** Declares servers; of two with one name the first is meant. */
  add(servers: Iterable<McpServer>): void {
    const before = this.#servers.size;
    for (const server of servers) if (!this.#servers.has(server.name)) this.#servers.set(server.name, server);
    if (this.#servers.size === before) return;
    // A hub that was closed meanwhile says so to whoever asks for tools.
    this.#view.setServers(this.#servers.values(), { connect: false }).catch(() => undefined);
    this.#forget();
  }

  /** The tools that agents would be offered; undefined while nothing is known, and for another server of a known name. */
  toolsOf(server: McpServer): readonly ToolSpec[] | undefined {
    const { name } = server;
    const declared = this.#servers.get(name);
    if (!declared || !isSameServer(declared, server)) return undefined;
    this.#byServer ??= byServer(this.#view.tools());
    const known = this.#byServer.get(name) ?? (isListed(this.#view.serverStatus(name)) ? [] : undefined);
    if (known) this.#seen.set(name, known);
    return known ?? this.#seen.get(name);
  }

  async close(): Promise<void> {
    await this.#view.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #forget(): void {
    this.#byServer = undefined;
    this.#version += 1;
  }
}

/** Whether a server without tools is known to have none: it was listed, or is switched off and offers nothing. */
export function isListed({ phase, catalog }: ServerStatus): boolean {
  return phase === 'connected' || phase === 'disabled' || catalog === 'cached';
}

function byServer(tools: readonly ToolSpec[]): ReadonlyMap<string, readonly ToolSpec[]> {
  const found = new Map<string, ToolSpec[]>();
  for (const tool of tools) {
    const own = found.get(tool.server);
    if (own) own.push(tool);
    else found.set(tool.server, [tool]);
  }
  return found;
}
