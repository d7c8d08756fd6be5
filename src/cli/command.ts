import type { Clock } from '../clock.ts';
import type { Flags } from './flags.ts';
import type { Interruption } from './interruption.ts';
import type { Output } from './output.ts';

/** What a verb is run with. */
export interface Command {
  readonly verb: string;
  readonly positionals: readonly string[];
  readonly flags: Flags;
  readonly output: Output;
  readonly interruption: Interruption;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file that was started, as it was named. */
  readonly script: string;
}

/** Does what the verb says, and gives the exit status. */
export type RunVerb = (command: Command) => Promise<number>;
