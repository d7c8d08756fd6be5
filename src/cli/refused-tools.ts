import { bindPolicies } from '../bridge/bound-policies.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { ConfigPolicies } from '../config/config-policies.ts';
import type { Hub } from '../hub/hub.ts';
import { admission } from '../policy/admission.ts';

/** Whether the policies refuse a tool whatever its arguments: the answer that a call of it would get. */
export function refusalBy(policies: ConfigPolicies, hub: Hub): (tool: ToolRef) => boolean {
  const bound = bindPolicies({
    servers: hub.servers(),
    tools: [],
    sections: policies.sectionPolicies,
    template: policies.policies,
    named: policies.namedPolicies,
  });
  return (tool) => admission(bound, tool).kind === 'deny';
}
