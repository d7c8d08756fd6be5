import { McpServer as SdkServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A small server in the same process; its tools say of themselves what they do. */
export function createNotes(): SdkServer {
  const notes = new Map([['todo', 'Buy milk']]);
  const server = new SdkServer({ name: 'notes', version: '1.0.0' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  const path = z.string();

  server.registerTool('read_note', { inputSchema: z.object({ path }), annotations: { readOnlyHint: true } }, (args) =>
    text(notes.get(args.path) ?? 'There is no such note.'),
  );
  server.registerTool(
    'write_note',
    {
      inputSchema: z.object({ path, body: z.string() }),
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    (args) => text(`Wrote ${notes.set(args.path, args.body).size} notes.`),
  );
  server.registerTool(
    'delete_note',
    { inputSchema: z.object({ path }), annotations: { destructiveHint: true } },
    (args) => text(notes.delete(args.path) ? 'Deleted.' : 'There is no such note.'),
  );
  return server;
}
