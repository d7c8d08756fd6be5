import type { ToolCall } from '../call/tool-call.ts';
import type { JsonObject, ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { NEVER } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { McpError, messageOf } from '../errors.ts';
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

/** Asks whether a call may be made; gives the call that may be, with the very arguments that were asked about, or why not. */
export async function askApproval(
  run: CallRun,
  asked: Extract<Ruling, { readonly kind: 'ask' }>,
  options: ApprovalStepOptions,
): Promise<ToolResult | ToolCall> {
  const { broker, clock, principal, events, waitMs } = options;
  const { call } = run;
  const { signal = NEVER, deadline = Number.POSITIVE_INFINITY } = run.options;
  if (!broker) return denied(`${asked.reason} Nobody is there to be asked, so the call was refused.`);
  const expiresAt = Math.min(clock.now() + waitMs, deadline);
  const argumentsText = textOf(call);
  const request = createApprovalRequest(call, asked, { principal, expiresAt });
  events.asked(request);
  const verdict = await settleApproval(broker, request, { clock, signal });
  events.decided(request, verdict);
  if (signal.aborted) return cancelledBefore(call.tool);
  if (verdict.kind !== 'approved') return denied(verdict.reason);
  // The yes was to these arguments; whoever changed them since must ask again.
  if (digestOf(call.arguments) !== request.argumentsDigest) {
    return denied('The arguments were changed after the call was approved.');
  }
  // A copy, because it may take a while until they are sent.
  return { ...call, arguments: JSON.parse(argumentsText) as JsonObject };
}

/** What cannot be written down cannot be held against what is sent later. */
function textOf({ tool, arguments: args }: ToolCall): string {
  try {
    const text = JSON.stringify(args) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw unwritable(tool, messageOf(error), error);
  }
  throw unwritable(tool, 'they write themselves as nothing');
}

function unwritable({ name }: ToolRef, why: string, cause?: unknown): McpError {
  return new McpError('ARGUMENTS_INVALID', `${name}: the arguments cannot be written as JSON: ${why}`, { cause });
}
