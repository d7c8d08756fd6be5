import { readdirSync, readFileSync } from 'node:fs';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';

/** The client of the AI SDK; a call is what its agents do: the tool's own `execute`. */
export async function openClient(server) {
  const client = await createMCPClient({ transport: new StdioTransport(server) });
  const { echo } = await client.tools();
  const options = { toolCallId: 'bench', messages: [] };
  return {
    pid: onlyChild(),
    call: async (text) => (await echo.execute({ text }, options)).content[0].text,
    close: () => client.close(),
  };
}

/** It does not tell the pid of its server. */
function onlyChild() {
  try {
    const threads = readdirSync(`/proc/${process.pid}/task`);
    const children = threads.map((thread) => readFileSync(`/proc/${process.pid}/task/${thread}/children`, 'utf8'));
    return Number(children.join(' ').trim().split(/\s+/)[0]);
  } catch {
    return undefined;
  }
}
