import { Caller, Hub, McpServer, RateLimitPolicy, ResultCachePolicy } from 'fairlead';
import { createNotes } from './notes-server.ts';

const notes = McpServer.sdk('notes', createNotes(), { trust: 'trusted' }).withPolicies(
  new RateLimitPolicy({ calls: 1, windowMs: 60_000, per: 'tool', tools: ['write_note'] }),
  new ResultCachePolicy({ ttlMs: 60_000 }),
);
await using hub = new Hub({ servers: [notes] });
const caller = new Caller({ hub });

const first = await caller.call('mcp__notes__read_note', { path: 'todo' });
const again = await caller.call('mcp__notes__read_note', { path: 'todo' });
console.log(first.isCached, again.isCached, again.content);

// Writing empties the cache, because what was read may be old now.
await caller.call('mcp__notes__write_note', { path: 'todo', body: 'Buy tea' });
console.log((await caller.call('mcp__notes__read_note', { path: 'todo' })).content);
console.log((await caller.call('mcp__notes__write_note', { path: 'todo', body: '' })).message);
