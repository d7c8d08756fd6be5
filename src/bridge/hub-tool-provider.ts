import type { McpServer } from '../config/server.ts';
import type { Hub } from '../hub/hub.ts';
import type { ExternalToolBundle, ExternalToolProvider } from './external-tools.ts';
import { McpToolBundle, toExternalSpec } from './mcp-tool-bundle.ts';

/** The servers of a hub as bundles, with the tools that are known now; a bundle's config is its server's declaration. */
export class HubToolProvider implements ExternalToolProvider<McpServer> {
  readonly #hub: Hub;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  getBundles(): readonly ExternalToolBundle[] {
    return this.#hub.servers().map(({ name, transport }) => {
      const toolSpecs = this.#hub.tools(name).map(toExternalSpec);
      if (transport.kind !== 'stdio') return { name, toolSpecs };
      const { command, args, env } = transport;
      return new McpToolBundle({ name, toolSpecs, command, args, env });
    });
  }

  /** Throws if the hub has no server of the bundle's name, and the bundle does not say how to start one. */
  toProviderConfig(bundle: ExternalToolBundle): McpServer {
    const declared = this.#hub.servers().find(({ name }) => name === bundle.name);
    if (!declared && bundle instanceof McpToolBundle) return bundle.toServer();
    return this.#hub.server(bundle.name);
  }
}
