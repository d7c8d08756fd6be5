// Connects and lists so many servers with the bare SDK, so many at once, and prints how long that took.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { realServers } from './servers.mjs';
import { timed } from './timed.mjs';

const atOnce = Number(process.argv[4]);
const servers = realServers(process.argv[2], Number(process.argv[3]));
const clients = await timed(async () => {
  const waiting = [...servers];
  const opened = [];
  let tools = 0;
  const connectUntilDone = async () => {
    for (let server = waiting.shift(); server; server = waiting.shift()) {
      const client = new Client({ name: 'bench', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ ...server, stderr: 'pipe' }));
      opened.push(client);
      const listed = await client.listTools();
      tools += listed.tools.length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, connectUntilDone));
  return { tools, kept: opened };
});
await Promise.all(clients.map((client) => client.close()));
