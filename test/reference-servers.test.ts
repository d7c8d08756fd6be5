import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Caller, Hub, McpServer } from '../src/index.ts';
import { everythingStdio, filesystemStdio, gitStdio, memoryStdio } from './fixtures/fixture-commands.ts';
import { startEverythingHttp } from './fixtures/start-http-server.ts';
import { openTemporaryFolder } from './fixtures/temporary-folder.ts';
import { fromCommand } from './hub/servers.ts';

test('the reference servers everything, filesystem and memory connect over stdio and answer', async () => {
  await using folder = await openTemporaryFolder();
  await writeFile(folder.file('note.txt'), 'kept in a file');
  await using hub = new Hub({
    servers: [
      fromCommand('everything', everythingStdio()),
      fromCommand('filesystem', filesystemStdio(folder.path)),
      fromCommand('memory', memoryStdio(), { env: { MEMORY_FILE_PATH: folder.file('memory.jsonl') } }),
    ],
  });
  const statuses = await hub.connectAll();
  expect(statuses.map(({ name, status, tools }) => [name, status, tools.length > 5])).toEqual([
    ['everything', 'connected', true],
    ['filesystem', 'connected', true],
    ['memory', 'connected', true],
  ]);
  const caller = new Caller({ hub });
  expect(await caller.call('mcp__everything__echo', { message: 'hi' })).toMatchObject({
    content: [{ text: 'Echo: hi' }],
  });
  expect(await caller.call('mcp__filesystem__read_text_file', { path: folder.file('note.txt') })).toMatchObject({
    content: [{ text: 'kept in a file' }],
  });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
  expect(await caller.call('mcp__memory__create_entities', { entities })).toMatchObject({ outcome: 'ok' });
  expect(await caller.call('mcp__memory__search_nodes', { query: 'Ada' })).toMatchObject({
    content: [{ text: expect.stringContaining('wrote the first program') }],
  });
});

test('[S2.real-servers] the git and filesystem servers of the documents connect and answer', async () => {
  await using folder = await openTemporaryFolder();
  await writeFile(folder.file('note.txt'), 'read through the hub');
  await using hub = new Hub({
    servers: [
      fromCommand('git', gitStdio(), { cwd: folder.path }),
      fromCommand('filesystem', filesystemStdio(folder.path)),
    ],
  });
  const caller = new Caller({ hub });
  expect((await hub.connectAll()).map(({ name, status }) => [name, status])).toEqual([
    ['git', 'connected'],
    ['filesystem', 'connected'],
  ]);
  expect(hub.findTool('mcp__git__git_commit')).toMatchObject({ server: 'git' });
  expect(await caller.call('mcp__git__git_wrapup_instructions', { acknowledgement: 'Y' })).toMatchObject({
    outcome: 'ok',
  });
  expect(await caller.call('mcp__filesystem__read_text_file', { path: folder.file('note.txt') })).toMatchObject({
    content: [{ text: 'read through the hub' }],
  });
});

test('the reference server everything connects over Streamable HTTP and answers', async () => {
  await using remote = await startEverythingHttp();
  await using hub = new Hub({ servers: [McpServer.http('everything', remote.url)] });
  expect(await hub.callTool('everything', 'echo', { arguments: { message: 'hi' } })).toMatchObject({
    content: [{ text: 'Echo: hi' }],
  });
  expect((await hub.listResources('everything')).resources.length).toBeGreaterThan(0);
  expect((await hub.listPrompts('everything')).length).toBeGreaterThan(0);
});
