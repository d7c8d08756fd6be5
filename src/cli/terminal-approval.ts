import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ApprovalAnswer, ApprovalBroker, ApprovalRequest } from '../bridge/approval.ts';
import type { Clock } from '../clock.ts';
import type { Scrubber } from '../redaction.ts';
import { renderApproval } from './approval-text.ts';
import type { Output } from './output.ts';
import { formatElapsed } from './time-text.ts';

export interface TerminalBrokerOptions {
  /** Where the answer is typed. */
  readonly input: Readable;
  readonly output: Output;
  readonly clock: Clock;
  readonly scrubber: Scrubber;
}

/** Asks the person at the terminal; only `y` or `yes` is a yes. */
export class TerminalBroker implements ApprovalBroker {
  readonly #options: TerminalBrokerOptions;

  constructor(options: TerminalBrokerOptions) {
    this.#options = options;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { input, output, clock, scrubber } = this.#options;
    for (const line of renderApproval(request, { scrubber, paint: output.paintNote })) output.note(line);
    const left = formatElapsed(Math.ceil((request.expiresAt - clock.now()) / 1000) * 1000);
    output.question(`Allow this call? [y/N] (${left} left) `);
    const answer = await nextLine(input, signal);
    // The cursor still stands behind the question.
    if (answer === undefined) output.note('');
    if (/^\s*y(?:es)?\s*$/i.test(answer ?? '')) return { approved: true, by: BY };
    return { approved: false, by: BY, reason: 'The call was refused at the terminal.' };
  }
}

const BY = 'terminal';

/** The next line that is typed; undefined when there is none, or none any more that matters. */
function nextLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  // Without `terminal` the line stays the terminal's own business, Ctrl-C included.
  const lines = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const close = (): void => lines.close();
    signal.addEventListener('abort', close, { once: true });
    lines.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve(undefined);
    });
    lines.once('line', (line) => {
      resolve(line);
      close();
    });
  });
}
