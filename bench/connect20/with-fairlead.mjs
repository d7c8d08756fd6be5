// Connects and lists so many servers with Fairlead, and prints how long that took.
// The bare script has the SDK loaded before its time begins; here it would be loaded by the first connection.
import '@modelcontextprotocol/client';
import { Hub, McpServer } from '../../dist/index.js';
import { realServers } from './servers.mjs';
import { timed } from './timed.mjs';

const servers = realServers(process.argv[2], Number(process.argv[3]));
const hub = await timed(async () => {
  const declared = servers.map(({ name, command, args, env }) => McpServer.stdio(name, command, args, { env }));
  const opened = new Hub({ servers: declared });
  const statuses = await opened.connectAll();
  const failed = statuses.filter(({ phase }) => phase !== 'connected');
  if (failed.length > 0) throw new Error(failed.map(({ name, error }) => `${name}: ${error}`).join('\n'));
  return { tools: opened.tools().length, kept: opened };
});
await hub.close();
