import type { Readable } from 'node:stream';
import { callbackBroker } from '../bridge/approval.ts';
import type { ApprovalBroker } from '../bridge/approval.ts';
import type { Scrubber } from '../redaction.ts';
import type { Command } from './command.ts';
import { oneLine } from './printable.ts';
import { TerminalBroker } from './terminal-approval.ts';

/** Who decides what a policy asks about: `--yes`, else the person at the terminal, else nobody, which is a no. */
export function approvalFor(
  { flags, output, clock }: Pick<Command, 'flags' | 'output' | 'clock'>,
  input: Readable & { readonly isTTY?: boolean },
  scrubber: Scrubber,
): ApprovalBroker {
  if (flags.yes) {
    return callbackBroker(({ reason }) => {
      output.note(output.paintNote.yellow(`allowed by --yes: ${oneLine(scrubber.scrub(reason))}`));
      return Promise.resolve({ approved: true, by: '--yes' });
    });
  }
  // A terminal whose input was read to its end can give no answer.
  const canAnswer = input.isTTY && !input.readableEnded;
  if (canAnswer && output.isSeen) return new TerminalBroker({ input, output, clock, scrubber });
  return callbackBroker(({ reason }) => {
    const how = 'There is no terminal to ask at, so the call was refused; --yes allows it.';
    return Promise.resolve({ approved: false, reason: `${reason} ${how}` });
  });
}
