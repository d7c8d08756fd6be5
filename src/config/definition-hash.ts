import { createHash } from 'node:crypto';
import type { McpServer } from './server.ts';

/** Equal for two servers that can share a connection: how they are reached counts, what they are called does not. */
export function definitionHash(server: McpServer): string {
  const { isolation, sampling, elicitation, connectTimeoutMs } = server;
  const transport = { ...server.transport, instance: undefined };
  const definition = { transport, isolation, sampling, elicitation, connectTimeoutMs };
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

/** JSON with sorted keys, so that equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}
