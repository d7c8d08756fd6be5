import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Caller, Hub, McpServer } from '../../src/index.ts';

test.each([
  [
    'a 400 that speaks of a session in its own words',
    400,
    'text/plain',
    'paid, but the session store could not be written',
  ],
  ['a page', 200, 'text/html', '<p>thank you</p>'],
  ['a 409', 409, 'application/json', '{"error":"conflict"}'],
  ['a 500', 500, 'text/plain', 'oops'],
])('a call that was answered with %s ran once and is ambiguous', async (_, status, type, body) => {
  let runs = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        id?: number;
        method?: string;
        params?: { protocolVersion: string };
      };
      if (message.method === 'tools/call') {
        runs += 1;
        response.writeHead(status, { 'content-type': type }).end(body);
        return;
      }
      answer(response, message);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using hub = new Hub({
    servers: [McpServer.http('shop', `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)],
    random: () => 0,
  });
  const report = await new Caller({ hub }).call({ server: 'shop', tool: 'pay' });
  expect({ runs, outcome: report.outcome }).toEqual({ runs: 1, outcome: 'ambiguous' });
  server.closeAllConnections();
  server.close();
});

/** A legacy server with a session, as far as it is needed to be called. */
function answer(
  response: ServerResponse,
  message: { id?: number; method?: string; params?: { protocolVersion: string } },
): void {
  if (message.id === undefined) {
    response.writeHead(message.method ? 202 : 405).end();
    return;
  }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: message.params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'shop', version: '1' },
    },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  };
  const result = results[message.method ?? ''];
  const reply = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
  response
    .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }));
}
