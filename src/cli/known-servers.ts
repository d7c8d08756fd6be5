import type { LocalHub } from '../hub/local-hub.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import type { Command } from './command.ts';
import { connectServers } from './hub-session.ts';

/** The servers whose tools can be told, after connecting to those that were never seen; a note says why others cannot. */
export async function knownServers(
  command: Command,
  hub: LocalHub,
  names: readonly string[],
): Promise<readonly string[]> {
  // What was seen before needs no server.
  const unseen = names.filter((name) => !isKnown(hub.serverStatus(name)));
  await connectServers(command, hub, unseen);
  const statuses = names.map((name) => hub.serverStatus(name));
  noteFailures(command, hub, statuses);
  return statuses.filter(isKnown).map(({ name }) => name);
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
