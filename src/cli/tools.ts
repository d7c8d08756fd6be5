import type { LocalHub } from '../hub/local-hub.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import type { Command } from './command.ts';
import { connectServers, enabledServers, withHub } from './hub-session.ts';
import { listTools } from './tool-list.ts';
import { renderToolList } from './tool-list-text.ts';

/** `fairlead tools`: the names that agents see, of one server or of all. */
export function runTools(command: Command): Promise<number> {
  const { flags, output, positionals } = command;
  const [only] = positionals;
  return withHub(command, async ({ hub }) => {
    const wanted = only === undefined ? enabledServers(hub) : [hub.server(only).name];
    const statuses = await connectServers(command, hub, wanted);
    noteFailures(command, hub, statuses);
    const connected = statuses.filter(({ phase }) => phase === 'connected').map(({ name }) => name);
    const tools = listTools(hub, connected);
    if (flags.json) output.json(tools);
    else output.lines(renderToolList(tools, connected, { paint: output.paint, width: output.width }));
    return statuses.length > 0 && connected.length === 0 ? 1 : 0;
  });
}

function noteFailures({ output }: Command, hub: LocalHub, statuses: readonly ServerStatus[]): void {
  for (const { name, phase, error } of statuses) {
    if (phase === 'connected') continue;
    const why = phase === 'disabled' ? 'it is switched off' : (error ?? 'it is not connected');
    output.note(output.paintNote.red(hub.scrubber.scrub(`${name}: ${phase}: ${why}`)));
  }
}
