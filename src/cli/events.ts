import { homedir } from 'node:os';
import { stateFolder } from '../config/state-folder.ts';
import { McpError, messageOf } from '../errors.ts';
import { readEvents } from '../session/event-log-reader.ts';
import type { EventGap } from '../session/event-log-reader.ts';
import type { LoggedEvent } from '../session/event-parser.ts';
import type { Command } from './command.ts';
import { eventsFile } from './event-recorder.ts';
import { EventText } from './event-text.ts';
import { shortPath } from './short-path.ts';

const DEFAULT_LIMIT = 50;

/** `fairlead events`: the last events of the log and, when following, all that come. */
export async function runEvents(command: Command): Promise<number> {
  const { env, cwd, flags, output, interruption, clock } = command;
  const file = eventsFile(stateFolder(env, homedir()));
  const { signal } = interruption;
  const limit = flags.limit ?? DEFAULT_LIMIT;
  const print = printer(command);
  // Undefined once they are printed: from then on every event is.
  let last: LoggedEvent[] | undefined = [];
  let count = 0;
  let gap: EventGap | undefined;
  const onGap = (found: EventGap): void => {
    gap = found;
  };
  const onCaughtUp = (): void => {
    if (count === 0 && last) output.note(`There are no events yet: up and call write them to ${shortPath(file, cwd)}.`);
    for (const event of last ?? []) print(event);
    last = undefined;
    // A damaged log may have many such lines; their number is enough.
    if (gap) output.note(output.paintNote.yellow(gapText(gap)));
    gap = undefined;
  };
  try {
    for await (const event of readEvents(file, { follow: flags.follow, signal, clock, onGap, onCaughtUp })) {
      count += 1;
      if (!last) print(event);
      else if (last.push(event) > limit) last.shift();
    }
  } catch (error) {
    throw new McpError('INVALID_RESULT', `the events cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return 0;
}

function printer({ flags, output }: Command): (event: LoggedEvent) => void {
  if (flags.json) return (event) => output.jsonLine(event);
  const text = new EventText({ paint: output.paint, width: output.width });
  return (event) => output.line(text.render(event));
}

function gapText(gap: EventGap): string {
  if (gap.kind === 'rotated') return 'The log was replaced while it was read; some events may be missing.';
  return `${gap.lines === 1 ? 'A line' : `${gap.lines} lines`} of the log cannot be read.`;
}
