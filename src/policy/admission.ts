import type { ToolRef } from '../call/tool-ref.ts';
import { coversTool } from './policy-reach.ts';
import { ALLOWED, afterFailure, narrow, toRuling } from './ruling.ts';
import type { Ruling } from './ruling.ts';
import type { BoundPolicy } from './tool-policy.ts';

/** What is said of a tool whatever its arguments: the one answer for offering it and for calling it. */
export function admission(policies: readonly BoundPolicy[], tool: ToolRef): Ruling {
  let ruling = ALLOWED;
  for (const bound of policies) {
    ruling = narrow(ruling, admitBy(bound, tool));
    if (ruling.kind === 'deny') return ruling;
  }
  return ruling;
}

function admitBy({ policy, scope }: BoundPolicy, tool: ToolRef): Ruling {
  try {
    if (!policy.admit || !coversTool(scope, tool)) return ALLOWED;
    return toRuling(policy, policy.admit(tool, scope));
  } catch (error) {
    return afterFailure(policy, error);
  }
}
