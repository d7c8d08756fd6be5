import type { Timer } from '../clock.ts';
import type { Command } from './command.ts';

/** How long a person waits for the end without wondering. */
const SLOW_END_MS = 1000;

/** Tells whoever has pressed Ctrl-C and waits how not to; `up` says it by itself. */
export function hintAtWaiting({
  verb,
  clock,
  output,
  interruption,
}: Pick<Command, 'verb' | 'clock' | 'output' | 'interruption'>): Timer | undefined {
  if (interruption.reason !== 'SIGINT' || !output.isSeen || verb === 'up') return undefined;
  return clock.after(SLOW_END_MS, () => output.note('Ending the servers; Ctrl-C again does not wait.'));
}
