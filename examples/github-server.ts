import { McpServer as SdkServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Stands in for @modelcontextprotocol/server-github: some of its tools, and issues in memory. */
export function createGitHub(): SdkServer {
  const issues: string[] = [];
  const server = new SdkServer({ name: 'github', version: '1.0.0' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

  server.registerTool(
    'create_issue',
    { description: 'Create a new issue in a repository', inputSchema: z.object({ title: z.string() }) },
    ({ title }) => {
      if (title === '') return { ...text('An issue needs a title.'), isError: true };
      return text(`Created issue ${issues.push(title)}.`);
    },
  );
  server.registerTool(
    'list_issues',
    { description: 'List issues with optional filters', inputSchema: z.object({}) },
    () => text(issues.join('\n')),
  );
  server.registerTool(
    'get_issue',
    { description: 'Get details of a specific issue', inputSchema: z.object({ number: z.number().int() }) },
    ({ number }) => text(issues[number - 1] ?? 'There is no such issue.'),
  );
  server.registerTool(
    'delete_repo',
    { description: 'Delete a repository', inputSchema: z.object({}), annotations: { destructiveHint: true } },
    () => text('Deleted.'),
  );
  return server;
}
