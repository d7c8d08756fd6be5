import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../call/canonical-json.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';

/** One question to whoever may say yes: bound to this call and these arguments, once, for a while. */
export interface ApprovalRequest {
  readonly id: string;
  readonly callId: string;
  readonly principal: string;
  /** The name the agent used. */
  readonly name: string;
  readonly server?: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** A digest of the arguments, whatever the order of their fields. */
  readonly argumentsDigest: string;
  /** The policy that asks, and why. */
  readonly policy: string;
  readonly reason: string;
  readonly expiresAt: number;
}

/** What was decided; anything but a plain yes is a no. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** Puts questions to whoever decides: a person at a terminal, a chat, a ticket. */
export interface ApprovalBroker {
  /** The signal aborts when the answer no longer matters. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** How a question ended. */
export type Verdict =
  | { readonly kind: 'approved'; readonly by?: string }
  | { readonly kind: 'refused'; readonly by?: string; readonly reason: string }
  | { readonly kind: 'expired'; readonly reason: string };

/** A broker that is a function. */
export function callbackBroker(ask: ApprovalBroker['ask']): ApprovalBroker {
  return { ask };
}

/** The question about one call. */
export function createApprovalRequest(
  call: ToolCall,
  asked: { readonly policy: string; readonly reason: string },
  binding: { readonly principal: string; readonly expiresAt: number },
): ApprovalRequest {
  const { tool } = call;
  return {
    id: randomUUID(),
    callId: call.callId,
    principal: binding.principal,
    name: tool.name,
    ...(tool.server !== undefined && { server: tool.server }),
    tool: tool.tool,
    arguments: call.arguments,
    argumentsDigest: digestOf(call.arguments),
    policy: asked.policy,
    reason: asked.reason,
    expiresAt: binding.expiresAt,
  };
}

/** What an approval is good for: these arguments and no others. */
export function digestOf(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('hex');
}

interface ApprovalLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits for the answer, but not past the expiry; an answer that comes later counts for nothing. */
export async function settleApproval(
  broker: ApprovalBroker,
  request: ApprovalRequest,
  limits: ApprovalLimits,
): Promise<Verdict> {
  const { clock, signal } = limits;
  const over = new AbortController();
  const onAbort = (): void => over.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.after(request.expiresAt - clock.now(), () => over.abort(EXPIRED));
  try {
    return await Promise.race([answerOf(broker, request, { clock, signal: over.signal }), expiry(over.signal)]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', onAbort);
    over.abort('settled');
  }
}

async function answerOf(broker: ApprovalBroker, request: ApprovalRequest, limits: ApprovalLimits): Promise<Verdict> {
  try {
    const { approved, by, reason } = await broker.ask(request, limits.signal);
    // The timer may come later than it should, in a process that is busy.
    if (limits.clock.now() >= request.expiresAt) return UNANSWERED;
    const who = by === undefined ? {} : { by };
    // Nothing but a plain yes is a yes.
    if ((approved as unknown) === true) return { kind: 'approved', ...who };
    return { kind: 'refused', ...who, reason: reason ?? 'Approval was refused.' };
  } catch (error) {
    return { kind: 'refused', reason: `Approval could not be asked for: ${messageOf(error)}` };
  }
}

const EXPIRED = Symbol('expired');
const UNANSWERED: Verdict = { kind: 'expired', reason: 'Approval was asked for and nobody answered in time.' };
const CANCELLED: Verdict = { kind: 'refused', reason: 'The call was cancelled before anybody answered.' };

function expiry(signal: AbortSignal): Promise<Verdict> {
  return new Promise((resolve) => {
    const onAbort = (): void => resolve(signal.reason === EXPIRED ? UNANSWERED : CANCELLED);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
