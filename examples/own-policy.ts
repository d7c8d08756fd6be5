import { ALLOW, Caller, defineSlice, deny, Hub, McpServer } from 'fairlead';
import type { ToolCall, ToolPolicy } from 'fairlead';
import { createNotes } from './notes-server.ts';

// What a policy remembers belongs to the session: it is rolled back with a call that fails.
const written = defineSlice<{ readonly characters: number }>({ name: 'example/written' });

const budget: ToolPolicy = {
  name: 'budget',
  check(call, { session }) {
    const used = session
      .slice(written)
      .all()
      .reduce((sum, { characters }) => sum + characters, 0);
    return used + lengthOf(call) <= 10 ? ALLOW : deny(`Only ${10 - used} characters may still be written.`);
  },
  onResult(call, _result, { session }) {
    session.slice(written).append({ characters: lengthOf(call) });
  },
};

function lengthOf({ arguments: { body } }: ToolCall): number {
  return typeof body === 'string' ? body.length : 0;
}

await using hub = new Hub({ servers: [McpServer.sdk('notes', createNotes())] });
const caller = new Caller({ hub, policies: [budget] });
console.log((await caller.call('mcp__notes__write_note', { path: 'a', body: 'Buy tea' })).outcome);
console.log((await caller.call('mcp__notes__write_note', { path: 'b', body: 'Buy milk' })).message);
