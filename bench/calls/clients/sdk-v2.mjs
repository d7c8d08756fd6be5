import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The official SDK, second generation: the one that Fairlead stands on. */
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
