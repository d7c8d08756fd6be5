import type { Clock } from '../clock.ts';
import type { InProcessServer, MessageChannelEnd } from '../config/in-process-server.ts';

/** The server that Fairlead brings along; nothing of it is loaded before somebody connects. */
export function ownServer(clock: Clock): InProcessServer {
  let server: InProcessServer | undefined;
  return {
    async connect(channel: MessageChannelEnd): Promise<void> {
      const { createOwnServer } = await import('./own-server-tools.ts');
      server = createOwnServer(clock);
      await server.connect(channel);
    },
    async close(): Promise<void> {
      await server?.close();
    },
  };
}
