import { Caller, Hub, McpServer, ReadBeforeWritePolicy, SequentialDependencyPolicy } from 'fairlead';
import { createNotes } from './notes-server.ts';

const notes = McpServer.sdk('notes', createNotes()).withPolicies(
  new SequentialDependencyPolicy({ delete_note: ['write_note(path=archive)'] }),
  new ReadBeforeWritePolicy({ read: ['read_note'], write: ['write_note'] }),
);
await using hub = new Hub({ servers: [notes] });
const caller = new Caller({ hub });

console.log((await caller.call('mcp__notes__delete_note', { path: 'todo' })).message);
console.log((await caller.call('mcp__notes__write_note', { path: 'archive', body: 'Buy milk' })).message);
await caller.call('mcp__notes__read_note', { path: 'archive' });
console.log((await caller.call('mcp__notes__write_note', { path: 'archive', body: 'Buy milk' })).outcome);
console.log((await caller.call('mcp__notes__delete_note', { path: 'todo' })).outcome);
