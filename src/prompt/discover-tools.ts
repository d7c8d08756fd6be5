import type { McpServer } from '../config/server.ts';
import { messageOf } from '../errors.ts';
import type { Hub } from '../hub/hub.ts';
import type { Logger } from '../logger.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';

export interface DiscoverOptions {
  readonly hub: Hub;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
}

/** Connects these servers on the hub, declaring those it does not know, and gives their tools; one that fails costs only its own. */
export async function discoverTools(
  servers: readonly McpServer[],
  { hub, logger, signal }: DiscoverOptions,
): Promise<readonly ToolSpec[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      try {
        await hub.connect(server.name, server, signal ? { signal } : {});
        return hub.tools(server.name);
      } catch (error) {
        if (signal?.aborted) throw error;
        const reason = hub.scrubber.scrub(messageOf(error));
        logger.log('warn', FAILED, { event: FAILED, context: { mcp_name: server.name, reason } });
        return [];
      }
    }),
  );
  return found.flat();
}

const FAILED = 'prompt.discover.mcp_failed';
