import type { Clock } from '../clock.ts';
import { McpServer } from '../config/server.ts';
import { ownServer } from './own-server.ts';
import { referenceServers } from './reference-servers.ts';

/** The servers of a first run without any config: one in this process and, in a clone, the reference servers. */
export async function embeddedServers(clock: Clock): Promise<readonly McpServer[]> {
  const own = McpServer.sdk('fairlead', () => ownServer(clock), { description: 'A few tools of Fairlead itself.' });
  return [own, ...(await referenceServers())];
}
