import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Caller, defineTool, EventLog, Hub, readEvents, Session } from 'fairlead';
import { z } from 'zod';

const folder = await mkdtemp(join(tmpdir(), 'event-log-'));
const file = join(folder, 'events.jsonl');

const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  params: z.object({ name: z.string() }),
  handler: ({ name }) => `Hello, ${name}!`,
});

await using hub = new Hub();
const session = new Session();
const caller = new Caller({ hub, session, tools: [greet] });

// Events of calls come masked already; the scrubber does the same for whatever else is written.
const log = await EventLog.open({ file, scrubber: hub.scrubber });
session.dispatcher.subscribe('tool-started', (event) => log.write(event));
session.dispatcher.subscribe('tool-invoked', (event) => log.write(event));
hub.on('server-failed', (event) => log.write(event));

await caller.call('greet', { name: 'Ada' });
await caller.call('greet', { name: 42 });
await log.close();

for await (const event of readEvents(file)) console.log(event.type, event['name'], event['outcome']);
await rm(folder, { recursive: true });
