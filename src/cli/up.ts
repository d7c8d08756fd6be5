import type { Command } from './command.ts';
import { withHub } from './hub-session.ts';
import { UpEvents } from './up-events.ts';
import { UpLines } from './up-lines.ts';
import { UpScreen } from './up-screen.ts';
import type { UpView } from './up-view.ts';

/** `fairlead up`: connects everything and shows every change until it is told to stop. */
export async function runUp(command: Command): Promise<number> {
  const view = viewFor(command);
  const status = await withHub(command, async (session) => {
    const { hub, setup } = session;
    if (setup.servers.length === 0) {
      command.output.note(`No servers are declared in ${setup.files.map(({ path }) => path).join(', ')}.`);
      return 1;
    }
    view.open(session);
    await Promise.all([hub.connectAll({ signal: command.interruption.signal }), command.interruption.requested()]);
    view.stopping();
    return 0;
  });
  view.stopped();
  return status;
}

function viewFor(command: Command): UpView {
  if (command.flags.json) return new UpEvents(command);
  return command.output.canRedraw ? new UpScreen(command) : new UpLines(command);
}
