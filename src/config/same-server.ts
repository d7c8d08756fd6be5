import { haveSamePolicies } from './server-policies.ts';
import type { McpServer } from './server.ts';

/** Whether two servers are the same in everything, policies and server objects by identity. */
export function isSameServer(left: McpServer, right: McpServer): boolean {
  if (left === right) return true;
  const leftInstance = left.transport.kind === 'sdk' ? left.transport.instance : undefined;
  const rightInstance = right.transport.kind === 'sdk' ? right.transport.instance : undefined;
  return (
    leftInstance === rightInstance && haveSamePolicies(left, right) && definitionText(left) === definitionText(right)
  );
}

function definitionText(server: McpServer): string {
  return JSON.stringify(server.with({ policies: [] }), withoutInstance);
}

/** A server object or a policy may hold anything; their identity is compared beside. */
function withoutInstance(key: string, value: unknown): unknown {
  return key === 'instance' ? undefined : value;
}
