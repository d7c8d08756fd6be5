import { messageOf } from '../errors.ts';
import type { Decision } from './decision.ts';
import type { ToolPolicy } from './tool-policy.ts';

/** What policies say together, and which of them said it. */
export type Ruling =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly policy: string }
  | { readonly kind: 'ask'; readonly reason: string; readonly policy: string };

/** What is said where no policy objects. */
export const ALLOWED: Ruling = Object.freeze({ kind: 'allow' });

/** What one policy said; an answer that is none counts as a denial. */
export function toRuling(policy: ToolPolicy, decision: Decision): Ruling {
  // What a policy in plain JavaScript answers was checked by nobody.
  const { kind, reason }: { readonly kind?: unknown; readonly reason?: unknown } = decision ?? {};
  if (kind === 'allow') return ALLOWED;
  if (kind !== 'ask' && kind !== 'deny') throw new TypeError('its answer is neither allow, ask nor deny');
  if (typeof reason !== 'string') throw new TypeError('it gives no reason');
  return { kind, reason, policy: policy.name };
}

/** A policy that cannot decide must not let anything through. */
export function afterFailure(policy: ToolPolicy, error: unknown): Ruling {
  const reason = `Refused because the policy '${policy.name}' failed: ${messageOf(error)}`;
  return { kind: 'deny', reason, policy: policy.name };
}

/** A denial beats a question, a question a yes; whoever answers two questions must see both. */
export function narrow(before: Ruling, next: Ruling): Ruling {
  if (next.kind === 'allow' || before.kind === 'deny') return before;
  if (next.kind === 'deny' || before.kind === 'allow') return next;
  if (next.policy === before.policy && next.reason === before.reason) return before;
  return { kind: 'ask', reason: `${before.reason}; ${next.reason}`, policy: `${before.policy}, ${next.policy}` };
}
