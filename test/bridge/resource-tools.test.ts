import { expect, test } from 'vitest';
import { resourceTools } from '../../src/bridge/resource-tools.ts';
import { Caller, Hub, McpServer, PatternPolicy } from '../../src/index.ts';
import type { Content } from '../../src/index.ts';
import { everythingStdio } from '../fixtures/fixture-commands.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';
import { fromCommand, healthyServer } from '../hub/servers.ts';

test('[S3.resource-tools] an agent lists and reads the resources of the reference server', async () => {
  await using hub = new Hub({ servers: [fromCommand('everything', everythingStdio())] });
  const caller = new Caller({ hub, tools: resourceTools(hub) });
  expect(caller.tools().map(({ name }) => name)).toEqual(['ListMcpResources', 'ReadMcpResource']);

  const listed = await caller.call('ListMcpResources', { server: 'everything' });
  expect(listed).toMatchObject({ success: true, outcome: 'ok' });
  const { resources, templates } = JSON.parse(textIn(listed.content)) as Lists;
  expect(listed.structuredContent).toEqual({ resources, templates });
  expect(new Set([...resources, ...templates].map(({ server }) => server))).toEqual(new Set(['everything']));

  const [first] = resources;
  if (!first) throw new Error('nothing listed');
  const read = await caller.call('ReadMcpResource', { server: 'everything', uri: first.uri });
  expect(read.content).toEqual([
    { type: 'text', text: expect.stringContaining(first.uri) },
    { type: 'resource', resource: expect.objectContaining({ uri: first.uri, text: expect.stringMatching(/./) }) },
  ]);

  // The template of binary resources; what it makes is base64.
  const binary = templates.find(({ uriTemplate }) => uriTemplate.includes('blob'))?.uriTemplate ?? '';
  const blob = await caller.call('ReadMcpResource', {
    server: 'everything',
    uri: binary.replace(/\{\w+\}/, '1'),
  });
  expect(blob.content[1]).toMatchObject({ type: 'resource', resource: { blob: expect.stringMatching(/^[\w+/]+=*$/) } });
});

test('[S3.resource-tools] [S3.content-kinds] text and binary resources arrive as the server gave them', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('files', createV2Server())] });
  const caller = new Caller({ hub, tools: resourceTools(hub) });
  const read = async (uri: string): Promise<readonly Content[]> =>
    (await caller.call('ReadMcpResource', { server: 'files', uri })).content;
  expect(await Promise.all(['fixture://text', 'fixture://binary', 'fixture://items/7'].map(read))).toEqual([
    [
      { type: 'text', text: 'fixture://text (text/plain):' },
      { type: 'resource', resource: { uri: 'fixture://text', mimeType: 'text/plain', text: 'a text' } },
    ],
    [
      { type: 'text', text: 'fixture://binary (application/octet-stream):' },
      {
        type: 'resource',
        resource: { uri: 'fixture://binary', mimeType: 'application/octet-stream', blob: 'AAEC/f7/' },
      },
    ],
    [
      { type: 'text', text: 'fixture://items/7 (text/plain):' },
      { type: 'resource', resource: { uri: 'fixture://items/7', mimeType: 'text/plain', text: 'item 7' } },
    ],
  ]);
});

test('[S3.resource-tools] without a server all are listed; one that cannot start costs the others nothing', async () => {
  await using hub = new Hub({
    servers: [
      McpServer.sdk('first', createV2Server()),
      McpServer.stdio('broken', 'no-such-command-anywhere'),
      healthyServer('off', { enabled: false }),
      healthyServer('left'),
      McpServer.sdk('second', createV2Server()),
    ],
  });
  await hub.disconnect('left');
  const caller = new Caller({ hub, tools: resourceTools(hub) });
  const report = await caller.call('ListMcpResources');
  const { resources, templates, errors } = report.structuredContent as Lists;
  expect(resources.map(({ server, uri }) => `${server} ${uri}`)).toEqual([
    'first fixture://text',
    'first fixture://binary',
    'second fixture://text',
    'second fixture://binary',
  ]);
  expect(templates.map(({ server, uriTemplate }) => `${server} ${uriTemplate}`)).toEqual([
    'first fixture://items/{id}',
    'second fixture://items/{id}',
  ]);
  expect(errors).toEqual({ broken: expect.stringContaining('no-such-command-anywhere') });
});

test('a server that nobody declared is an invalid argument, a resource that is not there the server to explain', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('files', createV2Server())] });
  const caller = new Caller({ hub, tools: resourceTools(hub) });
  const unknown = {
    outcome: 'invalid',
    message: expect.stringContaining("no server is called 'none' (there are: files)"),
  };
  expect(await caller.call('ListMcpResources', { server: 'none' })).toMatchObject(unknown);
  expect(await caller.call('ReadMcpResource', { server: 'none', uri: 'x://y' })).toMatchObject(unknown);
  expect(await caller.call('ReadMcpResource', { server: 'files', uri: 'fixture://none' })).toMatchObject({
    success: false,
    outcome: 'tool-error',
    message: expect.stringContaining('fixture://none'),
  });
  expect(await caller.call('ReadMcpResource', { server: 'files' })).toMatchObject({ outcome: 'invalid' });
});

test('policies decide on reading by server and uri', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('files', createV2Server())] });
  const policies = [new PatternPolicy({ deny: ['ReadMcpResource(uri=fixture://binary)'] })];
  const caller = new Caller({ hub, policies, tools: resourceTools(hub) });
  const read = async (uri: string): Promise<string> =>
    (await caller.call('ReadMcpResource', { server: 'files', uri })).outcome;
  expect([await read('fixture://text'), await read('fixture://binary')]).toEqual(['ok', 'denied']);
});

interface Lists {
  readonly resources: readonly { readonly server: string; readonly uri: string }[];
  readonly templates: readonly { readonly server: string; readonly uriTemplate: string }[];
  readonly errors?: unknown;
}

function textIn(content: readonly Content[]): string {
  return String(content[0]?.['text']);
}
