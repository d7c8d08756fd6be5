import type { ToolResult } from '../call/tool-result.ts';
import { NEVER } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Ruling } from '../policy/ruling.ts';
import { createApprovalRequest, digestOf, settleApproval } from './approval.ts';
import type { ApprovalBroker } from './approval.ts';
import type { CallEvents } from './call-events.ts';
import type { CallRun } from './call-run.ts';
import { cancelledBefore, denied } from './to-tool-result.ts';

export interface ApprovalStepOptions {
  readonly broker: ApprovalBroker | undefined;
  /** How long a question stays open. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly principal: string;
  readonly events: CallEvents;
}

/** Asks whether a call may be made; gives why not, or nothing. */
export async function askApproval(
  run: CallRun,
  asked: Extract<Ruling, { readonly kind: 'ask' }>,
  options: ApprovalStepOptions,
): Promise<ToolResult | undefined> {
  const { broker, clock, principal, events, waitMs } = options;
  const { call } = run;
  const { signal = NEVER, deadline = Number.POSITIVE_INFINITY } = run.options;
  if (!broker) return denied(`${asked.reason} Nobody is there to be asked, so the call was refused.`);
  const expiresAt = Math.min(clock.now() + waitMs, deadline);
  const request = createApprovalRequest(call, asked, { principal, expiresAt });
  events.asked(request);
  const verdict = await settleApproval(broker, request, { clock, signal });
  events.decided(request, verdict);
  if (signal.aborted) return cancelledBefore(call.tool);
  if (verdict.kind !== 'approved') return denied(verdict.reason);
  // The yes was to these arguments; whoever changed them since must ask again.
  if (digestOf(call.arguments) === request.argumentsDigest) return undefined;
  return denied('The arguments were changed after the call was approved.');
}
