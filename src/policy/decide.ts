import type { ToolCall } from '../call/tool-call.ts';
import { admission } from './admission.ts';
import type { Decision } from './decision.ts';
import { coversTool } from './policy-reach.ts';
import { ALLOWED, afterFailure, narrow, toRuling } from './ruling.ts';
import type { Ruling } from './ruling.ts';
import type { BoundPolicy, PolicyContext, ToolPolicy } from './tool-policy.ts';

/** What every policy may look at for one call; where each stands is added for it. */
export type DecisionContext = Omit<PolicyContext, 'scope'>;

/** What all policies say of a call: each can only narrow what the others allow. A promise only if one of them needs it. */
export function decide(
  policies: readonly BoundPolicy[],
  call: ToolCall,
  context: DecisionContext,
): Ruling | Promise<Ruling> {
  return checkAdmitted({ policies, call, context }, admission(policies, call.tool));
}

/** The same for a tool whose admission is known. */
export function checkAdmitted(question: Question, admitted: Ruling): Ruling | Promise<Ruling> {
  return admitted.kind === 'deny' ? admitted : checkFrom(question, 0, admitted);
}

/** What is to be decided, and by whom. */
export interface Question {
  readonly policies: readonly BoundPolicy[];
  readonly call: ToolCall;
  readonly context: DecisionContext;
}

/** One after the other, so that a policy that counts does not count what an earlier one refused. */
function checkFrom(question: Question, first: number, before: Ruling): Ruling | Promise<Ruling> {
  const { policies } = question;
  let ruling = before;
  for (let index = first; index < policies.length; index += 1) {
    const answer = checkBy(policies[index], question);
    if (answer instanceof Promise) return checkAfter(answer, ruling, (next) => checkFrom(question, index + 1, next));
    ruling = narrow(ruling, answer);
    if (ruling.kind === 'deny') return ruling;
  }
  return ruling;
}

async function checkAfter(
  answer: Promise<Ruling>,
  before: Ruling,
  goOn: (ruling: Ruling) => Ruling | Promise<Ruling>,
): Promise<Ruling> {
  const ruling = narrow(before, await answer);
  return ruling.kind === 'deny' ? ruling : goOn(ruling);
}

function checkBy(bound: BoundPolicy | undefined, { call, context }: Question): Ruling | Promise<Ruling> {
  if (!bound) return ALLOWED;
  const { policy, scope } = bound;
  if (!policy.check) return ALLOWED;
  try {
    if (!coversTool(scope, call.tool)) return ALLOWED;
    const { session, resources, now, signal } = context;
    const answer = policy.check(call, { scope, session, resources, now, signal });
    return isPromise(answer) ? answerOrAbort(policy, answer, context.signal) : toRuling(policy, answer);
  } catch (error) {
    return afterFailure(policy, error);
  }
}

function isPromise(answer: Decision | Promise<Decision>): answer is Promise<Decision> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function';
}

function answerOrAbort(policy: ToolPolicy, answer: Promise<Decision>, signal: AbortSignal): Promise<Ruling> {
  return new Promise((resolve) => {
    const onAbort = (): void => resolve(afterFailure(policy, 'it gave no answer before the call was ended'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    // It may come too late or never; a late failure is nobody's.
    void Promise.resolve(answer)
      .then((decision) => toRuling(policy, decision))
      .catch((error: unknown) => afterFailure(policy, error))
      .then((ruling) => {
        signal.removeEventListener('abort', onAbort);
        resolve(ruling);
      });
  });
}
