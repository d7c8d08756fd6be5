import { McpServer as SdkServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Stands in for a git server from npm, such as @cyanheads/git-mcp-server: the same tool names, and no repository. */
export function createGit(): SdkServer {
  const server = new SdkServer({ name: 'git', version: '1.0.0' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

  server.registerTool(
    'git_diff',
    { description: 'Show what changed', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => text('+ one line'),
  );
  server.registerTool(
    'git_commit',
    { description: 'Commit what changed', inputSchema: z.object({ message: z.string() }) },
    ({ message }) => text(`Committed: ${message}`),
  );
  return server;
}
