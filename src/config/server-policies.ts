import { McpError } from '../errors.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { closestWord } from './closest-word.ts';
import type { McpServer } from './server.ts';

/** The policies of a server as objects: its own, and those it names. */
export function resolvePolicies(server: McpServer, named: ReadonlyMap<string, ToolPolicy>): readonly ToolPolicy[] {
  return server.policies.map((policy) => {
    if (typeof policy !== 'string') return policy;
    const found = named.get(policy);
    if (found) return found;
    throw unknownPolicy(server, policy, named.keys());
  });
}

/** What the policies of a server are called. */
export function policyNames({ policies }: McpServer): readonly string[] {
  return policies.map((policy) => (typeof policy === 'string' ? policy : policy.name));
}

/** Whether two servers have the very same policies; two of one name may differ in everything else. */
export function haveSamePolicies(left: McpServer, right: McpServer): boolean {
  if (left.policies.length !== right.policies.length) return false;
  return left.policies.every((policy, index) => policy === right.policies[index]);
}

function unknownPolicy(server: McpServer, name: string, known: Iterable<string>): McpError {
  const names = [...known];
  const meant = closestWord(name, names);
  const hint = meant === undefined ? `declared: ${names.join(', ') || 'none'}` : `did you mean '${meant}'?`;
  return new McpError(
    'CONFIG_INVALID',
    `server '${server.name}' names a policy '${name}' that nobody declared; ${hint}`,
    {
      server: server.name,
    },
  );
}
