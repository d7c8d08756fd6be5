import { callbackBroker, Caller, Hub, McpServer, PermissionsPolicy } from 'fairlead';
import { createNotes } from './notes-server.ts';

const notes = McpServer.sdk('notes', createNotes(), { trust: 'trusted' });
await using hub = new Hub({ servers: [notes.withPolicies(new PermissionsPolicy({ destructive: 'ask' }))] });

// A chat, a ticket, a person: whoever decides sees exactly the call that a yes is good for.
const approval = callbackBroker(async (request) => {
  console.log(request.server, request.tool, request.arguments, request.reason);
  return { approved: request.arguments['path'] === 'todo', by: 'Ada', reason: 'Keep that one.' };
});

const caller = new Caller({ hub, approval });
console.log((await caller.call('mcp__notes__read_note', { path: 'todo' })).message);
console.log((await caller.call('mcp__notes__delete_note', { path: 'todo' })).message);
console.log((await caller.call('mcp__notes__delete_note', { path: 'diary' })).message);
