import type { Command } from './command.ts';
import { enabledServers, withHub } from './hub-session.ts';
import { knownServers } from './known-servers.ts';
import { refusalBy } from './refused-tools.ts';
import { listTools } from './tool-list.ts';
import { renderToolList } from './tool-list-text.ts';

/** `fairlead tools`: the names that agents see, of one server or of all. */
export function runTools(command: Command): Promise<number> {
  const { flags, output, positionals } = command;
  const [only] = positionals;
  return withHub(command, async ({ hub, setup }) => {
    const wanted = only === undefined ? enabledServers(hub) : [hub.server(only).name];
    const known = await knownServers(command, hub, wanted);
    const isRefused = refusalBy(setup.policies, hub);
    const { tools, refused } = listTools(hub, known, isRefused);
    if (flags.json) output.json(tools);
    else output.lines(renderToolList(tools, known, { paint: output.paint, width: output.width }));
    if (refused > 0) output.note(`${refused} ${refused === 1 ? 'tool is' : 'tools are'} hidden by policy.`);
    return wanted.length > 0 && known.length === 0 ? 1 : 0;
  });
}
