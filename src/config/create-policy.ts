import { McpError, messageOf } from '../errors.ts';
import { PatternPolicy } from '../policy/pattern-policy.ts';
import { PermissionsPolicy } from '../policy/permissions-policy.ts';
import { RateLimitPolicy } from '../policy/rate-limit-policy.ts';
import { ReadBeforeWritePolicy } from '../policy/read-before-write-policy.ts';
import { ResultCachePolicy } from '../policy/result-cache-policy.ts';
import { SequentialDependencyPolicy } from '../policy/sequential-dependency-policy.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { formatField } from './config-problem.ts';
import { DURATION_EXPECTED, parseDuration } from './duration.ts';
import type { PolicyEntry } from './policy-entry.ts';

/** The policy that an entry of a file declares, under the entry's name. */
export function createPolicy(name: string, entry: PolicyEntry): ToolPolicy {
  try {
    return fromEntry(name, entry);
  } catch (error) {
    const field = formatField(['policies', name]);
    throw new McpError('CONFIG_INVALID', `${field}: ${messageOf(error)}`, { cause: error });
  }
}

function fromEntry(name: string, entry: PolicyEntry): ToolPolicy {
  switch (entry.kind) {
    case 'permissions':
      return new PermissionsPolicy({ ...entry, name });
    case 'sequence':
      return new SequentialDependencyPolicy(entry.dependencies, { name });
    case 'read-before-write':
      return new ReadBeforeWritePolicy({ ...entry, name });
    case 'patterns':
      return new PatternPolicy({ ...entry, name });
    case 'rate-limit':
      return new RateLimitPolicy({ ...entry, name, windowMs: toMilliseconds('window', entry.window) });
    case 'cache':
      return new ResultCachePolicy({ ...entry, name, ttlMs: toMilliseconds('ttl', entry.ttl) });
  }
}

function toMilliseconds(field: string, value: number | string): number {
  const milliseconds = parseDuration(value, { numberUnit: 's' });
  if (milliseconds !== undefined) return milliseconds;
  throw new McpError('CONFIG_INVALID', `${field}: found ${JSON.stringify(value)}, expected ${DURATION_EXPECTED}`);
}
