import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { onlyChild } from '../only-child.mjs';

/** The client of the AI SDK; a call is what its agents do: the tool's own `execute`. */
export async function openClient(server) {
  const client = await createMCPClient({ transport: new StdioMCPTransport(server) });
  const { echo } = await client.tools();
  const options = { toolCallId: 'bench', messages: [] };
  return {
    pid: onlyChild(),
    call: async (text) => (await echo.execute({ text }, options)).content[0].text,
    close: () => client.close(),
  };
}
