import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpIntegrationSection, McpServer, Session } from 'fairlead';
import { createNotes } from './notes-server.ts';

// Stands in for https://mcp.example.com/v1.
const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.headers.authorization !== 'Bearer a-key-for-notes') return void response.writeHead(401).end();
  const transport = new NodeStreamableHTTPServerTransport();
  await createNotes().connect(transport);
  await transport.handleRequest(request, response);
};
const remote = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
await once(remote, 'listening');
const { port } = remote.address() as AddressInfo;

{
  await using section = await McpIntegrationSection.open({
    servers: [
      McpServer.http('remote', `http://127.0.0.1:${port}/v1`, {
        headers: { Authorization: 'Bearer a-key-for-notes' },
        timeoutMs: 60_000,
      }),
    ],
    session: new Session(),
  });
  const [read] = section.tools();
  if (read && 'run' in read) console.log(read.name, (await read.run({ path: 'todo' })).content);
}
remote.closeAllConnections();
remote.close();
