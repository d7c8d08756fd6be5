import { MCPClient } from '@mastra/mcp';
import { onlyChild } from '../only-child.mjs';

/** The client of Mastra; a call is what its agents do: the tool's own `execute`. */
export async function openClient({ command, args }) {
  const client = new MCPClient({ servers: { tiny: { command, args } } });
  const { tiny_echo: echo } = await client.listTools();
  return {
    pid: onlyChild(),
    call: async (text) => (await echo.execute({ text }, {})).content[0].text,
    close: () => client.disconnect(),
  };
}
