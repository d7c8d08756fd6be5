import type { McpServer } from '../../config/server.ts';
import type { Hub } from '../../hub/hub.ts';
import type { ViewOptions } from '../../hub/view-options.ts';
import type { ToolSpec } from '../../tools/tool-spec.ts';

/** Where views come from: the hub of a process. */
export interface ViewSource {
  view(options?: ViewOptions): Hub;
}

/** What is known of the tools of servers, open or not, without starting any. */
export class CatalogBook implements AsyncDisposable {
  // Nothing is ever called through this view, so declaring a server here starts nothing.
  readonly #view: Hub;
  readonly #servers = new Map<string, McpServer>();
  #byServer: ReadonlyMap<string, readonly ToolSpec[]> | undefined;
  #version = 0;

  constructor(source: ViewSource, options: Omit<ViewOptions, 'servers'>) {
    this.#view = source.view(options);
    this.#view.on('tools-changed', () => {
      this.#byServer = undefined;
      this.#version += 1;
    });
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
    void this.#view.setServers(this.#servers.values(), { connect: false });
    this.#byServer = undefined;
    this.#version += 1;
  }

  /** The tools that agents would be offered; undefined while nothing is known. */
  toolsOf(server: string): readonly ToolSpec[] | undefined {
    this.#byServer ??= byServer(this.#view.tools());
    const known = this.#byServer.get(server);
    if (known) return known;
    const declared = this.#servers.get(server);
    if (!declared) return undefined;
    const { phase, catalog } = this.#view.serverStatus(server);
    // A server that was listed and has nothing is known; one that is switched off offers nothing.
    return phase === 'connected' || phase === 'disabled' || catalog === 'cached' ? [] : undefined;
  }

  async close(): Promise<void> {
    await this.#view.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
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
