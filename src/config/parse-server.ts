import { durationProblems, nameOf, trustProblems } from './check-server-entry.ts';
import { ConfigError } from './config-error.ts';
import type { FieldProblem, FieldWarning } from './config-problem.ts';
import { formatField } from './config-problem.ts';
import { parseDuration } from './duration.ts';
import { describeFound, isMap } from './found-value.ts';
import { readIsolation, toIsolation } from './isolation-entry.ts';
import { originOf } from './key-spelling.ts';
import { checkTransport, toTransport } from './parse-transport.ts';
import { referenceWarnings } from './reference-warnings.ts';
import { checkSchema } from './schema-problems.ts';
import { findReferences } from './secret-references.ts';
import { McpServer } from './server.ts';
import type { McpServerFields, Scope } from './server.ts';
import { OAUTH_KEYS, SERVER_KEYS, serverEntrySchema } from './server-entry.ts';
import type { ServerEntry } from './server-entry.ts';
import { respellServer } from './server-spelling.ts';
import type { Dialect } from './server-spelling.ts';
import type { ServerTransport } from './server-transport.ts';
import { commandTexts } from './transport-texts.ts';

export interface ParseServerOptions {
  /** Our own spellings unless told otherwise. */
  readonly dialect?: Dialect;
  /** Where the entry comes from; absent for one given in code. */
  readonly scope?: Scope;
  readonly onWarning?: (warning: FieldWarning) => void;
}

/** What reading an entry gave: a server, unless there are problems. */
export interface ServerReading {
  readonly server?: McpServer;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldWarning[];
}

/** Parses a server in any of the accepted spellings; without a name given the entry must carry its own. */
export function parseServer(name: string | undefined, raw: unknown, options: ParseServerOptions = {}): McpServer {
  const { server, problems, warnings } = readServer(name, raw, options);
  for (const warning of warnings) options.onWarning?.(warning);
  if (server) return server;
  const placed = problems.map(({ path, found, expected }) => ({
    field: formatField(name === undefined ? path : [name, ...path]),
    found,
    expected,
  }));
  throw new ConfigError(placed, name === undefined ? {} : { server: name });
}

/** As `parseServer`, but tells every mistake instead of throwing. */
export function readServer(name: string | undefined, raw: unknown, options: ParseServerOptions): ServerReading {
  if (!isMap(raw)) {
    const found = describeFound(raw, []);
    return { problems: [{ path: [], part: 'value', found, expected: 'a map with a command or a url' }], warnings: [] };
  }
  const { dialect = 'fairlead', scope } = options;
  const { value, origins, ...respelled } = respellServer(raw, dialect);
  const { isolation, ...withoutIsolation } = value;
  const isolated = isMap(isolation) ? readIsolation(isolation) : undefined;
  const checkable = isolated === undefined ? value : withoutIsolation;
  const checked = checkSchema(serverEntrySchema, checkable, ([first]) =>
    first === 'oauth' ? OAUTH_KEYS : SERVER_KEYS,
  );
  const reached = checkTransport(value);
  const named = nameOf(name, value, dialect);
  const found = [
    ...(checked.ok ? [] : checked.problems),
    ...(isolated?.problems.map((problem) => ({ ...problem, path: ['isolation', ...problem.path] })) ?? []),
    ...reached.problems,
    ...(dialect === 'fairlead' ? reached.misplaced : []),
    ...named.problems,
    ...trustProblems(value, scope),
    ...durationProblems(value),
  ];
  const problems = [...respelled.problems, ...found.map((item) => ({ ...item, path: originOf(origins, item.path) }))];
  const unused = dialect === 'fairlead' ? [] : reached.misplaced.map(notUsed);
  const toWarning = (item: FieldWarning): FieldWarning => ({ ...item, path: originOf(origins, item.path) });
  const warnings = [...respelled.warnings, ...unused.map(toWarning)];
  if (problems.length > 0 || !checked.ok || named.name === undefined) return { problems, warnings };
  const server = new McpServer({
    ...toFields({ ...checked.value, ...(isolated?.value && { isolation: isolated.value }) }, named.name, dialect),
    ...(named.displayName !== undefined && { displayName: named.displayName }),
    ...(scope && { scope }),
  });
  return { server, problems, warnings: [...warnings, ...referenceWarnings(server.transport).map(toWarning)] };
}

function notUsed({ path, found }: FieldProblem): FieldWarning {
  return { path, message: `${found} is not used` };
}

/** Fields that mean the same in a file and in a server. */
const PLAIN_FIELDS = [
  ...([
    'displayName',
    'description',
    'toolPrefix',
    'enabledTools',
    'disabledTools',
    'policies',
    'trust',
    'mode',
  ] as const),
  ...(['trackInvocations', 'pin', 'eager', 'sampling', 'elicitation', 'enabled'] as const),
];

function toFields(entry: ServerEntry, name: string, dialect: Dialect): McpServerFields {
  const plain = PLAIN_FIELDS.filter((field) => entry[field] !== undefined).map(
    (field) => [field, entry[field]] as const,
  );
  const numberUnit = dialect === 'mcp-json' ? 'ms' : 's';
  const timeoutMs = entry.timeoutMs ?? parseDuration(entry.timeout, { numberUnit });
  const connectTimeoutMs = entry.connectTimeoutMs ?? parseDuration(entry.connectTimeout, { numberUnit });
  return {
    ...(Object.fromEntries(plain) as Pick<ServerEntry, (typeof PLAIN_FIELDS)[number]>),
    name,
    transport: withDialect(toTransport(entry, name), dialect),
    ...(entry.isolation !== undefined && { isolation: toIsolation(entry.isolation) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
  };
}

function withDialect(transport: ServerTransport, dialect: Dialect): ServerTransport {
  if (dialect !== 'mcp-json' || transport.kind !== 'stdio') return transport;
  const hasReference = commandTexts(transport).some(({ text }) => findReferences(text).length > 0);
  return hasReference ? { ...transport, expandsArgs: true } : transport;
}
