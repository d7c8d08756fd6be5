import { createRequire } from 'node:module';
import { Hub, McpIntegrationSection, McpServer, Session } from 'fairlead';

// The reference server stands in for @modelcontextprotocol/server-github and a search server: it tells its environment.
const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const everything = (name: string, env: Record<string, string>): McpServer =>
  McpServer.stdio(name, process.execPath, [script, 'stdio'], { env, enabledTools: ['get-env'] });

// Where secrets come from; the process environment unless said.
const store = new Map([
  ['GITHUB_TOKEN', 'a-token-for-github'],
  ['BRAVE_API_KEY', 'a-key-for-brave'],
]);
await using hub = new Hub({ secrets: [{ name: 'store', get: async (name) => store.get(name) }] });

await using section = await McpIntegrationSection.open({
  servers: [
    // Credentials belong into env, never into args.
    everything('github', { GITHUB_TOKEN: '${GITHUB_TOKEN}' }),
    everything('brave', { BRAVE_API_KEY: '${BRAVE_API_KEY}' }),
  ],
  session: new Session(),
  hub,
});

for (const tool of section.tools()) {
  if (!('run' in tool)) continue;
  const { content } = await tool.run();
  const seen = JSON.parse(String(content[0]?.['text'])) as Record<string, string>;
  console.log(tool.name, seen['GITHUB_TOKEN'], seen['BRAVE_API_KEY']);
}
