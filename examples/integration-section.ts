import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InProcessEventBus, McpIntegrationSection, McpServer, PromptTemplate, Session } from 'fairlead';

const session = new Session({ bus: new InProcessEventBus() });
const workspace = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
await writeFile(join(workspace, 'notes.txt'), 'Buy milk');

// From npm this would be McpServer.npm('filesystem', '@modelcontextprotocol/server-filesystem', [workspace]).
const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
{
  await using section = await McpIntegrationSection.open({
    servers: [McpServer.stdio('filesystem', process.execPath, [script, workspace])],
    session,
  });
  const template = new PromptTemplate({ ns: 'demo', key: 'mcp', sections: [section] });
  const { text, tools } = await template.bind().render();
  console.log(text.split('\n').slice(0, 5).join('\n'));
  const read = tools.find(({ name }) => name === 'filesystem_read_text_file');
  if (read && 'run' in read) console.log((await read.run({ path: join(workspace, 'notes.txt') })).content);
}
await rm(workspace, { recursive: true });
