import { Caller, Hub, McpServer } from 'fairlead';
import { McpServer as SdkServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

// Any MCP server will do; this one lives in the same process.
const greeter = new SdkServer({ name: 'greeter', version: '1.0.0' });
greeter.registerTool(
  'greet',
  { description: 'Greets somebody.', inputSchema: z.object({ name: z.string() }) },
  ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }),
);

await using hub = new Hub({ servers: [McpServer.sdk('greeter', greeter)] });
await hub.connect('greeter');
console.log(hub.tools().map((tool) => tool.name));

const caller = new Caller({ hub });
const report = await caller.call('mcp__greeter__greet', { name: 'Ada' });
console.log(report.outcome, report.content);
