import { expect, test } from 'vitest';
import { formatProblem, formatWarning } from './config-problem.ts';
import { parseJsonDocument } from './json-document.ts';
import { parseMcpJson } from './parse-mcp-json.ts';
import { McpServer } from './server.ts';

const parse = (text: string) => parseMcpJson(parseJsonDocument(text, '.mcp.json'), 'project');

test('[S2.parse] reads the servers of a .mcp.json', () => {
  const { servers, problems, warnings } = parse(`{ "mcpServers": {
    "api": { "type": "http", "url": "\${BASE:-https://api.example.com}/mcp", "headers": { "Authorization": "Bearer \${KEY}" } },
    "fs":  { "command": "npx", "args": ["-y", "pkg", "/tmp"], "env": { "LOG": "\${LOG:-info}" }, "timeout": 1500 }
  } }`);
  expect(servers.map(({ value }) => value)).toEqual([
    McpServer.http('api', '${BASE:-https://api.example.com}/mcp', {
      headers: { Authorization: 'Bearer ${KEY}' },
      scope: 'project',
    }),
    McpServer.stdio('fs', 'npx', ['-y', 'pkg', '/tmp'], {
      env: { LOG: '${LOG:-info}' },
      timeoutMs: 1500,
      scope: 'project',
    }),
  ]);
  expect([problems, warnings]).toEqual([[], []]);
});

test('[S2.parse] names become valid and stay apart, the originals are kept', () => {
  const entry = '{ "command": "node" }';
  const { servers } = parse(
    `{ "mcpServers": { "My Server": ${entry}, "my server": ${entry}, "my-server": ${entry} } }`,
  );
  expect(servers.map(({ name, value }) => [name, value?.name, value?.displayName])).toEqual([
    ['my-server-2', 'my-server-2', 'My Server'],
    ['my-server-3', 'my-server-3', 'my server'],
    ['my-server', 'my-server', undefined],
  ]);
});

test('says where it passes something over', () => {
  const { warnings } = parse(`{
  "inputs": [],
  "mcpServers": {
    "My Server": { "command": "node",
      "alwaysLoad": true },
    "socket": { "type": "ws", "url": "wss://example.com" }
  }
}`);
  expect(warnings.map(formatWarning)).toEqual([
    '.mcp.json:2:3 inputs: Fairlead does not use this key',
    '.mcp.json:5:7 mcpServers["My Server"].alwaysLoad: Fairlead does not use this key',
    '.mcp.json:6:5 mcpServers.socket: Fairlead has no ws transport and leaves this server out',
  ]);
});

test('says where the mistakes are', () => {
  const { problems, servers } = parse('{ "mcpServers": {\n  "a": { "args": ["x"] },\n  "b": 1 } }');
  expect(problems.map(formatProblem)).toEqual([
    '.mcp.json:2:8 mcpServers.a: found neither a command nor a url, expected a command for a stdio server, or a url for a remote one',
    '.mcp.json:3:8 mcpServers.b: found a number, expected a map with a command or a url',
  ]);
  expect(servers.map(({ name, value }) => [name, value])).toEqual([
    ['a', undefined],
    ['b', undefined],
  ]);
});

test.each([
  ['[]', '.mcp.json:1:1: found an empty list, expected a map of servers'],
  ['{ "mcpServers": [1] }', '.mcp.json:1:17 mcpServers: found a list, expected a map of servers'],
  ['{ "mcpServers": ', '.mcp.json:1:17: found invalid JSON (value expected), expected valid JSON'],
])('%j is refused', (text, message) => {
  expect(parse(text).problems.map(formatProblem)[0]).toBe(message);
});
