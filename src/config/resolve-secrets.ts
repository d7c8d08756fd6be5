import { McpConnectionError } from '../errors.ts';
import { formatField } from './config-problem.ts';
import { describeTransport } from './masked-config.ts';
import { findReferences, replaceReferences } from './secret-references.ts';
import type { SecretReference } from './secret-references.ts';
import type { SecretSource } from './secret-sources.ts';
import type { McpServer } from './server.ts';
import type { ServerTransport } from './server-transport.ts';
import { secretsOf } from './transport-secrets.ts';
import { referenceTexts, replaceTexts } from './transport-texts.ts';

/** How to reach a server with its secrets in place, and what must not be seen again. */
export interface ResolvedTransport {
  readonly transport: ServerTransport;
  readonly secrets: readonly string[];
}

/** Looks up every reference of a server, and fails naming all that are nowhere to be found. */
export async function resolveSecrets(
  server: McpServer,
  sources: readonly SecretSource[],
  signal?: AbortSignal,
): Promise<ResolvedTransport> {
  const wanted = referenceTexts(server.transport).flatMap(({ path, text }) =>
    findReferences(text).map((reference) => ({ reference, field: formatField(path) })),
  );
  const values = new Map<string, string>();
  const missing = new Map<string, string>();
  for (const { reference, field } of wanted) {
    if (values.has(reference.name)) continue;
    const value = await lookUp(server, { name: reference.name, field, sources, ...(signal && { signal }) });
    if (value !== undefined) values.set(reference.name, value);
    else if (reference.fallback === undefined && !missing.has(reference.name)) missing.set(reference.name, field);
  }
  if (missing.size > 0) throw missingSecrets(server, missing, sources);
  const transport = replaceTexts(server.transport, (text) =>
    replaceReferences(text, (reference) => valueOf(reference, values)),
  );
  const secrets = new Set([...values.values(), ...secretsOf(transport)]);
  secrets.delete('');
  return { transport, secrets: [...secrets] };
}

interface Lookup {
  readonly name: string;
  readonly field: string;
  readonly sources: readonly SecretSource[];
  readonly signal?: AbortSignal;
}

async function lookUp(server: McpServer, lookup: Lookup): Promise<string | undefined> {
  for (const source of lookup.sources) {
    try {
      const value = await source.get(lookup.name, lookup.signal);
      if (value !== undefined) return value;
    } catch (cause) {
      lookup.signal?.throwIfAborted();
      const what = `${source.name} could not be read while looking for ${lookup.name} (in ${lookup.field})`;
      const message = `${server.name}: ${what}. Make it readable, or set ${lookup.name} elsewhere.`;
      throw secretError(server, message, cause);
    }
  }
  return undefined;
}

function missingSecrets(
  server: McpServer,
  missing: ReadonlyMap<string, string>,
  sources: readonly SecretSource[],
): McpConnectionError {
  const names = [...missing].map(([name, field]) => `${name} (in ${field})`).join(', ');
  const places = sources.map((source) => source.name).join(' or ') || 'a secret source';
  const [are, them] = missing.size === 1 ? ['is', 'it'] : ['are', 'them'];
  const [first] = missing.keys();
  return secretError(
    server,
    `${server.name}: ${names} ${are} not set. Set ${them} in ${places}, or give a default: \${${first ?? 'NAME'}:-…}.`,
  );
}

function secretError(server: McpServer, message: string, cause?: unknown): McpConnectionError {
  return new McpConnectionError({
    code: 'SECRET_MISSING',
    server: server.name,
    transport: describeTransport(server.transport),
    message,
    ...(cause !== undefined && { cause }),
  });
}

function valueOf(reference: SecretReference, values: ReadonlyMap<string, string>): string {
  const value = values.get(reference.name) ?? '';
  return value === '' ? (reference.fallback ?? value) : value;
}
