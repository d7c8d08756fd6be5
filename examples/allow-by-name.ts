import { Caller, Hub, McpServer, PatternPolicy } from 'fairlead';
import { createNotes } from './notes-server.ts';

await using hub = new Hub({ servers: [McpServer.sdk('notes', createNotes())] });
await hub.connectAll();

// On the whole session a tool is `server/tool`; on a server it would be that server's own name.
const names = new PatternPolicy({
  allow: ['notes/read_note', 'notes/write_note(path=draft*)'],
  deny: ['*/delete_*'],
  otherwise: 'deny',
});
const caller = new Caller({ hub, policies: [names] });

// What no call could get is not offered either.
console.log(caller.tools().map((tool) => tool.name));
console.log((await caller.call('mcp__notes__write_note', { path: 'draft-1', body: 'Dear' })).outcome);
console.log((await caller.call('mcp__notes__write_note', { path: 'todo', body: '' })).message);
console.log((await caller.call('mcp__notes__delete_note', { path: 'todo' })).message);
