import { McpServer as SdkServer } from '@modelcontextprotocol/server';
import { Caller, Hub, McpServer } from 'fairlead';
import { z } from 'zod';

const booking = new SdkServer({ name: 'booking', version: '1.0.0' });
booking.registerTool(
  'book',
  { description: 'Books a table, and asks for how many.', inputSchema: z.object({ day: z.string() }) },
  async ({ day }, { mcpReq }) => {
    // oxlint-disable-next-line typescript/no-deprecated -- a server object speaks the older protocol
    const answer = await mcpReq.elicitInput({
      message: 'For how many people?',
      requestedSchema: { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] },
    });
    return { content: [{ type: 'text', text: `Booked on ${day}: ${JSON.stringify(answer.content)}` }] };
  },
);

// A server may ask only if its declaration allows it and somebody answers.
await using hub = new Hub({
  servers: [McpServer.sdk('booking', booking, { elicitation: true })],
  handlers: {
    elicitation: async ({ message }) => {
      console.log(message);
      return { action: 'accept', content: { people: 4 } };
    },
  },
});
const caller = new Caller({ hub });
console.log((await caller.call({ server: 'booking', tool: 'book' }, { day: 'Friday' })).content);
