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
    // What was seen before needs no server.
    await connectServers(
      command,
      hub,
      wanted.filter((name) => !isKnown(hub.serverStatus(name))),
    );
    const statuses = wanted.map((name) => hub.serverStatus(name));
    noteFailures(command, hub, statuses);
    const known = statuses.filter(isKnown).map(({ name }) => name);
    const tools = listTools(hub, known);
    if (flags.json) output.json(tools);
    else output.lines(renderToolList(tools, known, { paint: output.paint, width: output.width }));
    return statuses.length > 0 && known.length === 0 ? 1 : 0;
  });
}

function isKnown({ phase, catalog }: ServerStatus): boolean {
  return phase === 'connected' || (phase === 'idle' && catalog === 'cached');
}

function noteFailures({ output }: Command, hub: LocalHub, statuses: readonly ServerStatus[]): void {
  for (const status of statuses) {
    if (isKnown(status)) continue;
    const { name, phase, error } = status;
    const why = phase === 'disabled' ? 'it is switched off' : (error ?? 'it is not connected');
    output.note(output.paintNote.red(hub.scrubber.scrub(`${name}: ${phase}: ${why}`)));
  }
}
