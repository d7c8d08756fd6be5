import { createRequire } from 'node:module';
import { Caller, Hub, McpServer } from 'fairlead';

// From npm this would be McpServer.npm('everything', '@modelcontextprotocol/server-everything').
const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

await using hub = new Hub({
  servers: [
    McpServer.stdio('everything', process.execPath, [script, 'stdio']).withTools({ enabled: ['echo', 'get-sum'] }),
    McpServer.stdio('broken', 'a-command-that-does-not-exist'),
  ],
});

// Bulk operations never throw: a server that cannot start costs the others nothing.
for (const { name, status, error } of await hub.connectAll()) console.log(name, status, error?.split(';')[0] ?? '');
console.log(hub.tools().map((tool) => tool.name));

const caller = new Caller({ hub });
console.log((await caller.call('mcp__everything__get-sum', { a: 2, b: 3 })).content);
console.log((await caller.call({ server: 'broken', tool: 'anything' })).outcome);
