import { ConfigError } from '../config/config-error.ts';
import { formatProblem } from '../config/config-problem.ts';
import { McpError, messageOf } from '../errors.ts';
import { usageLine } from './help.ts';
import type { Output } from './output.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** Says on stderr why a command could not be carried out, and gives the exit status that stands for it. */
export function reportFailure(thrown: unknown, output: Output): number {
  const { paintNote: paint } = output;
  if (thrown instanceof UsageError) {
    output.note(`${paint.red('fairlead:')} ${thrown.message}`);
    output.note(
      `${usageLine(thrown.verb)}\n\`fairlead help${thrown.verb === undefined ? '' : ` ${thrown.verb}`}\` says more.`,
    );
    return 2;
  }
  if (thrown instanceof ConfigError) {
    for (const problem of thrown.problems) output.note(`${paint.red('error:')} ${formatProblem(problem)}`);
    output.note(
      `Correct ${thrown.problems.length === 1 ? 'this' : `these ${thrown.problems.length}`} and run the command again.`,
    );
    return 2;
  }
  output.note(`${paint.red('fairlead:')} ${printable(messageOf(thrown))}`);
  // Anything but an error of ours is a mistake in the program, and its place is what helps.
  if (!(thrown instanceof McpError) && thrown instanceof Error) output.note(paint.dim(thrown.stack ?? ''));
  return 1;
}
