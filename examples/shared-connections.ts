import { createRequire } from 'node:module';
import { Hub, McpServer } from 'fairlead';

const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
const memory = McpServer.stdio('memory', process.execPath, [script]);

await using hub = new Hub({ servers: [memory] });
const first = await hub.connect('memory');

// Another session with the same server shares its process; another principal never does.
const colleague = hub.view({ servers: [memory] });
const stranger = hub.view({ servers: [memory], principal: 'someone-else' });
console.log('shared with the colleague:', (await colleague.connect('memory')).pid === first.pid);
console.log('shared with the stranger:', (await stranger.connect('memory')).pid === first.pid);
