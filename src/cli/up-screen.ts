import type { Timer } from '../clock.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { commandToTry } from './command-to-try.ts';
import { cutToWidth } from './display-width.ts';
import { onEveryEvent } from './hub-event-stream.ts';
import type { HubSession } from './hub-session.ts';
import type { LiveRegion } from './live-region.ts';
import { ownCommandLine } from './own-command-line.ts';
import { judgeBy } from './refused-tools.ts';
import { shortPath } from './short-path.ts';
import { SPINNER_MS, spinnerFrame } from './spinner.ts';
import { renderStatusTable } from './status-table.ts';
import type { UpView } from './up-view.ts';

const RESTING_MS = 1000;

/** A table of the servers that is drawn again in place on every change. */
export class UpScreen implements UpView {
  readonly #command: Command;
  #session: HubSession | undefined;
  #region: LiveRegion | undefined;
  #timer: Timer | undefined;
  #frame = 0;
  #stopListening: () => void = () => undefined;
  /** While servers are being ended the table shows how they were when that began. */
  #last: readonly ServerStatus[] | undefined;

  constructor(command: Command) {
    this.#command = command;
  }

  open(session: HubSession): void {
    this.#session = session;
    this.#region = this.#command.output.openScreen();
    this.#stopListening = onEveryEvent(session.hub, () => this.#draw());
    this.#tick();
  }

  stopping(): void {
    this.#stopListening();
    this.#last = this.#session?.hub.status();
    this.#draw();
  }

  stopped(): void {
    this.#timer?.cancel();
    if (!this.#region) return;
    this.#region.clear();
    this.#command.output.line('Stopped every server.');
  }

  #tick(): void {
    this.#draw();
    this.#frame += 1;
    const isMoving = this.#last !== undefined || this.#session?.hub.status().some(({ status }) => status === 'pending');
    this.#timer = this.#command.clock.after(isMoving ? SPINNER_MS : RESTING_MS, () => this.#tick());
  }

  #draw(): void {
    if (!this.#session || !this.#region) return;
    const { hub } = this.#session;
    const { clock, output } = this.#command;
    const { paint, width } = output;
    const statuses = hub.scrubber.scrubValue(this.#last ?? hub.status());
    const spinner = this.#spinner();
    const table = renderStatusTable(statuses, { paint, width: width - 1, isTerminal: true, now: clock.now(), spinner });
    const heading = [this.#heading(statuses), ''];
    const footer = ['', ...this.#footer(statuses)];
    this.#region.show([...heading, ...cutLines(table, output.height - heading.length - footer.length - 1), ...footer]);
  }

  #heading(statuses: readonly ServerStatus[]): string {
    const { output, cwd } = this.#command;
    const { paint, width } = output;
    const enabled = statuses.filter(({ phase }) => phase !== 'disabled');
    const connected = enabled.filter(({ phase }) => phase === 'connected').length;
    const files = this.#session?.setup.files.map(({ path }) => shortPath(path, cwd)).join(', ') || 'embedded servers';
    const rest = cutToWidth(` ${VERSION} · ${files} · ${connected} of ${enabled.length} connected`, width - 9);
    return paint.bold('fairlead') + paint.dim(rest);
  }

  #footer(statuses: readonly ServerStatus[]): readonly string[] {
    const { paint, width } = this.#command.output;
    if (this.#last)
      return [`${paint.yellow(this.#spinner())} stopping every server ${paint.dim('(Ctrl-C again does not wait)')}`];
    const stop = paint.dim('Ctrl-C stops every server');
    if (statuses.some(({ phase }) => phase === 'idle' || phase === 'connecting')) return [stop];
    const say = (lead: string, words: readonly string[]): string => {
      const line = cutToWidth(ownCommandLine(this.#command, words), width - lead.length - 2);
      return `${lead} ${paint.cyan(line)}`;
    };
    const failed = statuses.filter(({ phase }) => phase === 'failed' || phase === 'needs-auth').length;
    const next = say('Try', this.#commandToTry());
    return [...(failed === 0 ? [] : [say(`${failed} not connected:`, ['doctor'])]), next, stop];
  }

  #commandToTry(): readonly string[] {
    if (!this.#session) return commandToTry([]);
    const { hub, setup } = this.#session;
    return commandToTry(hub.tools(), judgeBy(setup.policies, hub));
  }

  #spinner(): string {
    return spinnerFrame(this.#frame);
  }
}

function cutLines(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = lines.slice(0, Math.max(0, room - 1));
  return [...kept, `… ${lines.length - kept.length} more lines`];
}
