import { expect, test } from 'vitest';
import { Caller, defineTool, Hub, McpServer } from '../../src/index.ts';
import type { Content } from '../../src/index.ts';
import { PIXEL_PNG, SILENT_WAV } from '../fixtures/servers/fixture-tools.mjs';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { healthyServer, v1Server } from '../hub/servers.ts';

const ONE_OF_EACH: readonly Content[] = [
  { type: 'text', text: 'one of each kind' },
  { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' },
  { type: 'audio', data: SILENT_WAV, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'fixture://text', mimeType: 'text/plain', text: 'embedded' } },
  { type: 'resource_link', uri: 'fixture://binary', name: 'binary', mimeType: 'application/octet-stream' },
];

test.each([
  ['SDK v2 over stdio', healthyServer('kinds')],
  ['SDK v1 over stdio', v1Server('kinds')],
  ['SDK v2 in process', McpServer.sdk('kinds', createV2Server())],
])('[S3.content-kinds] text, image, audio, resource and link reach the agent unchanged: %s', async (_, server) => {
  await using hub = new Hub({ servers: [server] });
  const report = await new Caller({ hub }).call({ server: 'kinds', tool: 'image' });
  expect(report).toMatchObject({ success: true, message: 'Success' });
  expect(report.content).toEqual(ONE_OF_EACH);
});

test('[S3.content-kinds] structured content, annotations and what is not known yet reach the agent unchanged', async () => {
  const content = [
    { type: 'text', text: 'x', annotations: { audience: ['user'], priority: 0.5 }, _meta: { 'example.com/a': 1 } },
    { type: 'hologram', depth: 3 },
  ];
  const structuredContent = { rows: [{ id: 1, tags: ['a', null] }], total: 1.5 };
  const server = new ScriptedServer({
    'tools/list': () => ({ tools: [{ name: 'show', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content, structuredContent }),
  });
  await using hub = new Hub({ servers: [McpServer.sdk('scripted', server)] });
  const report = await new Caller({ hub }).call({ server: 'scripted', tool: 'show' });
  expect(report).toMatchObject({ outcome: 'ok' });
  expect({ content: report.content, structuredContent: report.structuredContent }).toEqual({
    content,
    structuredContent,
  });
});

test('[S3.content-kinds] a native tool returns the same kinds', async () => {
  const show = defineTool({
    name: 'show',
    description: 'Shows everything.',
    params: { type: 'object' },
    handler: () => ({ content: ONE_OF_EACH, structuredContent: { kinds: 5 } }),
  });
  await using hub = new Hub();
  const report = await new Caller({ hub, tools: [show] }).call('show');
  expect(report).toMatchObject({ content: ONE_OF_EACH, structuredContent: { kinds: 5 } });
});
