import { resolvePolicies } from '../config/server-policies.ts';
import type { McpServer } from '../config/server.ts';
import { messageOf } from '../errors.ts';
import { deny } from '../policy/decision.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import type { NativeTool } from './native-tool.ts';

/** Where policies may stand. */
export interface PolicySources {
  readonly servers: readonly McpServer[];
  readonly tools: readonly NativeTool[];
  /** Those of sections, bound by whoever knows the sections. */
  readonly sections: readonly BoundPolicy[];
  /** Those of the prompt's template, or of the whole session. */
  readonly template: readonly ToolPolicy[];
  /** What servers of a config file mean by a policy's name. */
  readonly named: ReadonlyMap<string, ToolPolicy>;
}

/** Every policy with the place where it stands: tool, server, section, template. */
export function bindPolicies(sources: PolicySources): readonly BoundPolicy[] {
  const bound: BoundPolicy[] = [];
  for (const { name, policies } of sources.tools) {
    for (const policy of policies) bound.push({ policy, scope: { kind: 'tool', name } });
  }
  for (const server of sources.servers) {
    const scope = { kind: 'server', server: server.name } as const;
    for (const policy of policiesOf(server, sources.named)) bound.push({ policy, scope });
  }
  bound.push(...sources.sections);
  for (const policy of sources.template) bound.push({ policy, scope: { kind: 'template' } });
  return bound;
}

/** A server that names a policy which nobody has is closed; the others are not its business. */
function policiesOf(server: McpServer, named: ReadonlyMap<string, ToolPolicy>): readonly ToolPolicy[] {
  try {
    return resolvePolicies(server, named);
  } catch (error) {
    const reason = `Refused because ${messageOf(error)}`;
    return [{ name: 'unknown', admit: () => deny(reason) }];
  }
}
