import { bindPolicies } from '../bridge/bound-policies.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { ConfigPolicies } from '../config/config-policies.ts';
import type { Hub } from '../hub/hub.ts';
import { admission } from '../policy/admission.ts';
import { coversTool } from '../policy/policy-reach.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';

/** What policies make of a tool: refused whatever its arguments, free of any question, or open until it is called. */
export type JudgeTool = (tool: ToolRef) => 'refused' | 'open' | 'free';

/** Whether the policies refuse a tool whatever its arguments: the answer that a call of it would get. */
export function refusalBy(policies: ConfigPolicies, hub: Hub): (tool: ToolRef) => boolean {
  const bound = boundPolicies(policies, hub);
  return (tool) => admission(bound, tool).kind === 'deny';
}

/** Tells for each tool what can be known before it is called. */
export function judgeBy(policies: ConfigPolicies, hub: Hub): JudgeTool {
  const bound = boundPolicies(policies, hub);
  return (tool) => {
    const { kind } = admission(bound, tool);
    if (kind === 'deny') return 'refused';
    return kind === 'allow' && !bound.some((policy) => waitsForCall(policy, tool)) ? 'free' : 'open';
  };
}

/** Whether a policy has something to say of a tool, but only once it is called. */
function waitsForCall({ policy, scope }: BoundPolicy, tool: ToolRef): boolean {
  return policy.check !== undefined && policy.admit === undefined && coversTool(scope, tool);
}

function boundPolicies(policies: ConfigPolicies, hub: Hub): readonly BoundPolicy[] {
  return bindPolicies({
    servers: hub.servers(),
    tools: [],
    sections: policies.sectionPolicies,
    template: policies.policies,
    named: policies.namedPolicies,
  });
}
