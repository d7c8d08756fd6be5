import type { Command } from './command.ts';
import { connectServers, enabledServers, withHub } from './hub-session.ts';
import { renderStatusTable } from './status-table.ts';

/** `fairlead status`: connects to every server and shows what became of it. */
export function runStatus(command: Command): Promise<number> {
  const { flags, output } = command;
  return withHub(command, async ({ hub }) => {
    const enabled = await connectServers(command, hub, enabledServers(hub));
    const statuses = hub.scrubber.scrubValue(hub.status());
    const { paint, width, isTerminal } = output;
    if (flags.json) output.json(statuses);
    else if (statuses.length === 0) output.note('No servers are declared.');
    else output.lines(renderStatusTable(statuses, { paint, width, isTerminal }));
    return flags.check && enabled.some(({ phase }) => phase !== 'connected') ? 1 : 0;
  });
}
