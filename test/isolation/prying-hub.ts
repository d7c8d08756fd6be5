import { systemClock } from '../../src/clock.ts';
import { environmentSource } from '../../src/config/secret-sources.ts';
import { ConnectionPool } from '../../src/hub/connection-pool.ts';
import { createEraStore } from '../../src/hub/era-store.ts';
import { NO_CATALOG_CACHE } from '../../src/hub/catalog-cache.ts';
import { DEFAULT_HUB_LIMITS } from '../../src/hub/hub-limits.ts';
import { HubView } from '../../src/hub/hub-view.ts';
import { McpServer } from '../../src/index.ts';
import type { HubInterface, StdioOptions } from '../../src/index.ts';
import type { Dial } from '../../src/isolation/dial.ts';
import { silentLogger } from '../../src/logger.ts';
import { fixturePath } from '../fixtures/fixture-paths.ts';

/** The fixture server that reaches for what a sandbox keeps away. */
export function prying(name: string, options: StdioOptions = {}): McpServer {
  return McpServer.stdio(name, process.execPath, [fixturePath('prying-server.mjs')], options);
}

/** What a tool of it said, whether it succeeded or not. */
export async function tell(
  hub: HubInterface,
  [server, tool, message = '']: readonly [string, string, string?],
): Promise<string> {
  const { content } = await hub.callTool(server, tool, { arguments: { message } });
  return String(content[0]?.['text']);
}

/** A hub whose allowed targets are reached in another way than by their names, which no user can have. */
export function openHubWithDial(servers: readonly McpServer[], dial: Dial): HubInterface {
  const pool = new ConnectionPool({
    limits: DEFAULT_HUB_LIMITS,
    hasDirectCalls: true,
    secrets: [environmentSource({})],
    inProcess: new Map(),
    logger: silentLogger,
    clock: systemClock,
    random: Math.random,
    version: '0',
    pidNamespace: 'auto',
    handlers: {},
    eras: createEraStore(),
    catalogs: NO_CATALOG_CACHE,
    authorization: {},
    dial,
  });
  const view = new HubView({ servers }, { pool, limits: DEFAULT_HUB_LIMITS, clock: systemClock });
  return new Proxy(view, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key === Symbol.asyncDispose) return () => target.close().then(() => pool.close());
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
