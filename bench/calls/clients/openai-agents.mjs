import { getAllMcpTools, MCPServerStdio, RunContext } from '@openai/agents';
import { onlyChild } from '../only-child.mjs';

/** The OpenAI Agents SDK; a call is what its runner does: `invoke` with the model's arguments, which are text. */
export async function openClient({ command, args }) {
  const server = new MCPServerStdio({ name: 'tiny', command, args });
  await server.connect();
  const [echo] = await getAllMcpTools([server]);
  const context = new RunContext();
  return {
    pid: onlyChild(),
    call: async (text) => (await echo.invoke(context, JSON.stringify({ text }))).text,
    close: () => server.close(),
  };
}
