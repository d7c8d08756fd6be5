import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** The official SDK, first generation. */
export async function openClient(server) {
  const transport = new StdioClientTransport(server);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return {
    pid: transport.pid,
    call: async (text) => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text,
    close: () => client.close(),
  };
}
