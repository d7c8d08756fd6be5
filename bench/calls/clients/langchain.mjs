import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { onlyChild } from '../only-child.mjs';

/** The adapters of LangChain; a call is what its agents do: the tool's own `invoke`. */
export async function openClient({ command, args }) {
  const client = new MultiServerMCPClient({ mcpServers: { tiny: { transport: 'stdio', command, args } } });
  const [echo] = await client.getTools();
  return {
    pid: onlyChild(),
    call: (text) => echo.invoke({ text }),
    close: () => client.close(),
  };
}
