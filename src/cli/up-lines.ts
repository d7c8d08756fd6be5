import type { LocalHub } from '../hub/local-hub.ts';
import type { Command } from './command.ts';
import { commandToTry } from './command-to-try.ts';
import { onEveryEvent } from './hub-event-stream.ts';
import type { HubEvent } from './hub-event-stream.ts';
import type { HubSession } from './hub-session.ts';
import { ownCommandLine } from './own-command-line.ts';
import { oneLine } from './printable.ts';
import { judgeBy } from './refused-tools.ts';
import type { Setup } from './setup.ts';
import type { UpView } from './up-view.ts';

/** One plain line with a timestamp for everything that happens, where no terminal can be drawn upon. */
export class UpLines implements UpView {
  readonly #command: Command;
  #servers = 0;
  #settled = false;
  #stopListening: () => void = () => undefined;

  constructor(command: Command) {
    this.#command = command;
  }

  open({ hub, setup }: HubSession): void {
    this.#servers = setup.servers.length;
    this.#say(`starting ${this.#servers} servers`);
    this.#stopListening = onEveryEvent(hub, (event) => {
      const text = eventText(event, hub);
      if (text !== undefined) this.#say(hub.scrubber.scrub(text));
      this.#sayWhenSettled(hub, setup);
    });
  }

  stopping(): void {
    this.#stopListening();
    if (this.#servers > 0) this.#say('stopping every server');
  }

  stopped(): void {
    if (this.#servers > 0) this.#say('stopped');
  }

  #sayWhenSettled(hub: LocalHub, { policies }: Setup): void {
    const statuses = hub.status();
    if (this.#settled || statuses.some(({ phase }) => phase === 'idle' || phase === 'connecting')) return;
    this.#settled = true;
    const enabled = statuses.filter(({ phase }) => phase !== 'disabled');
    const connected = enabled.filter(({ phase }) => phase === 'connected').length;
    const next = ownCommandLine(this.#command, commandToTry(hub.tools(), judgeBy(policies, hub)));
    this.#say(`${connected} of ${enabled.length} servers connected; try: ${next}`);
  }

  #say(text: string): void {
    const { output, clock } = this.#command;
    output.line(`${new Date(clock.now()).toISOString()} ${oneLine(text)}`);
  }
}

/** What an event says in one line; undefined for those that another event tells better. */
function eventText(event: HubEvent, hub: LocalHub): string | undefined {
  switch (event.type) {
    case 'server-connected':
      return `${event.server} connected (${connectedText(hub, event.server)})`;
    case 'server-failed':
      return `${event.server} failed: ${event.code}: ${event.error}`;
    case 'server-disconnected':
      return event.error === undefined ? undefined : `${event.server} lost: ${event.error}`;
    case 'server-changed':
      if (event.change === 'removed') return undefined;
      return ['connected', 'failed', 'needs-auth'].includes(event.phase) ? undefined : `${event.server} ${event.phase}`;
    case 'tools-changed':
      // The first list comes with the connection itself.
      if (hub.serverStatus(event.server).phase !== 'connected') return undefined;
      return `${event.server} tools changed: ${changeText(event)}`;
    case 'resource-changed':
      return `${event.server} resource changed: ${event.uri}`;
    case 'tool-quarantined':
      return `${event.server} tool ${event.tool} quarantined: ${event.reason}`;
    case 'sandbox-denied':
      return `${event.server} was kept from ${event.target}: ${event.reason}`;
  }
}

function connectedText(hub: LocalHub, server: string): string {
  const { tools, pid, transport } = hub.serverStatus(server);
  const count = tools.filter(({ quarantined }) => quarantined === undefined).length;
  return [transport, `${count} ${count === 1 ? 'tool' : 'tools'}`, ...(pid === undefined ? [] : [`pid ${pid}`])].join(
    ', ',
  );
}

function changeText(change: Readonly<Record<'added' | 'removed' | 'changed', readonly string[]>>): string {
  const parts = (['added', 'removed', 'changed'] as const).filter((kind) => change[kind].length > 0);
  return parts.map((kind) => `${kind} ${change[kind].join(', ')}`).join('; ');
}
