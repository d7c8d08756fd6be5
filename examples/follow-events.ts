import { createRequire } from 'node:module';
import { Caller, Hub, McpServer, Session } from 'fairlead';

const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

await using hub = new Hub({ servers: [McpServer.stdio('everything', process.execPath, [script, 'stdio'])] });
hub.on('server-changed', ({ server, phase }) => console.log(server, phase));

const session = new Session();
session.dispatcher.subscribe('tool-invoked', ({ name, outcome, mcpServer }) => console.log(mcpServer, name, outcome));

// The server is only declared so far; the call starts it.
const caller = new Caller({ hub, session });
await caller.call({ server: 'everything', tool: 'echo' }, { message: 'hello' });

// Switched off, the server keeps its connection and refuses calls.
hub.toggle('everything', false);
await caller.call({ server: 'everything', tool: 'echo' }, { message: 'hello' });
