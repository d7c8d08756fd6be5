import type { Command } from './command.ts';
import { onEveryEvent } from './hub-event-stream.ts';
import type { HubSession } from './hub-session.ts';
import type { UpView } from './up-view.ts';

/** Every event as one line of JSON. */
export class UpEvents implements UpView {
  readonly #command: Command;

  constructor(command: Command) {
    this.#command = command;
  }

  open({ hub }: HubSession): void {
    onEveryEvent(hub, (event) => this.#command.output.jsonLine(hub.scrubber.scrubValue(event)));
  }

  stopping(): void {
    // The servers' own events tell it.
  }

  stopped(): void {
    // As above.
  }
}
