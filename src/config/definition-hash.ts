import { createHash } from 'node:crypto';
import { canonicalJson } from '../call/canonical-json.ts';
import type { McpServer } from './server.ts';

/** Equal for two servers that can share a connection: how they are reached counts, what they are called does not. */
export function definitionHash(server: McpServer): string {
  const { isolation = 'off', sampling, elicitation, connectTimeoutMs } = server;
  const transport = { ...server.transport, instance: undefined };
  const definition = { transport, isolation, sampling, elicitation, connectTimeoutMs };
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}
