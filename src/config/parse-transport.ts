import type { FieldProblem } from './config-problem.ts';
import { isMap } from './found-value.ts';
import { findReferences } from './secret-references.ts';
import type { OAuthEntry, ServerEntry } from './server-entry.ts';
import type { OAuthSettings, ServerTransport, TransportKind } from './server-transport.ts';

/** The fields of each kind of transport, the necessary ones first. */
const FIELDS: Readonly<
  Record<TransportKind, { readonly needed: readonly string[]; readonly allowed: readonly string[] }>
> = {
  stdio: { needed: ['command'], allowed: ['args', 'cwd', 'env'] },
  http: { needed: ['url'], allowed: ['headers', 'oauth', 'method'] },
  sse: { needed: ['url'], allowed: ['headers', 'oauth'] },
  sdk: { needed: [], allowed: [] },
  'claudeai-proxy': { needed: ['url', 'id'], allowed: [] },
};

const ALL_FIELDS: readonly string[] = [
  ...new Set(Object.values(FIELDS).flatMap(({ needed, allowed }) => [...needed, ...allowed])),
];

/** What is wrong with how a server is to be reached. */
export interface TransportCheck {
  readonly problems: readonly FieldProblem[];
  /** Fields that this kind of server has no place for. */
  readonly misplaced: readonly FieldProblem[];
}

/** Checks what a schema cannot say: which fields go together. Works on entries whose single fields may be wrong too. */
export function checkTransport(entry: Readonly<Record<string, unknown>>): TransportCheck {
  const kind = transportKindOf(entry);
  if (!kind) return { problems: 'type' in entry ? [] : [NO_TRANSPORT], misplaced: [] };
  const { needed, allowed } = FIELDS[kind];
  const missing = needed.filter((field) => !(field in entry)).map((field) => missingField(kind, field));
  const own = [...needed, ...allowed];
  const misplaced = ALL_FIELDS.filter((field) => !own.includes(field) && !isEmpty(entry[field])).map((field) =>
    misplacedField(kind, field, own),
  );
  return { problems: [...missing, ...urlProblems(entry)], misplaced };
}

/** The transport of an entry that has passed the checks. */
export function toTransport(entry: ServerEntry, name: string): ServerTransport {
  const { command = '', args = [], env = {}, cwd, url = '', headers = {}, oauth, id = '' } = entry;
  const kind = transportKindOf({ ...entry }) ?? 'stdio';
  switch (kind) {
    case 'stdio':
      return { kind, command, args, env, ...(cwd !== undefined && { cwd }) };
    case 'http':
    case 'sse':
      return { kind, url, headers, ...(oauth && { oauth: toOAuth(oauth) }) };
    case 'sdk':
      return { kind, name: entry.name ?? name };
    case 'claudeai-proxy':
      return { kind, url, id };
  }
}

/** Which kind of transport an entry means: what it says, else by its command or url. */
function transportKindOf(entry: Readonly<Record<string, unknown>>): TransportKind | undefined {
  const { type } = entry as { readonly type?: unknown };
  if (type !== undefined) return isKind(type) ? type : undefined;
  if ('command' in entry) return 'stdio';
  return 'url' in entry ? 'http' : undefined;
}

const NO_TRANSPORT: FieldProblem = {
  path: [],
  part: 'value',
  found: 'neither a command nor a url',
  expected: 'a command for a stdio server, or a url for a remote one',
};

function missingField(kind: TransportKind, field: string): FieldProblem {
  return {
    path: [field],
    part: 'value',
    found: 'nothing',
    expected: `a ${field}: ${kind} transport requires '${field}'`,
  };
}

function misplacedField(kind: TransportKind, field: string, own: readonly string[]): FieldProblem {
  const expected = own.length === 0 ? `no ${field}` : `only ${own.join(', ')}`;
  return { path: [field], part: 'key', found: `${field} for ${article(kind)} server`, expected };
}

function urlProblems(entry: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { url } = entry as { readonly url?: unknown };
  if (typeof url !== 'string' || url === '' || findReferences(url).length > 0 || /^https?:$/.test(protocolOf(url)))
    return [];
  return [
    { path: ['url'], part: 'value', found: 'no web address', expected: 'one that begins with https:// or http://' },
  ];
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function isKind(type: unknown): type is TransportKind {
  return typeof type === 'string' && Object.hasOwn(FIELDS, type);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}

function article(kind: TransportKind): string {
  return kind === 'stdio' || kind === 'claudeai-proxy' ? `a ${kind}` : `an ${kind}`;
}

function toOAuth(oauth: OAuthEntry): OAuthSettings {
  const { scopes, ...rest } = oauth;
  if (scopes === undefined) return rest;
  return { ...rest, scopes: typeof scopes === 'string' ? scopes.split(/\s+/).filter((scope) => scope !== '') : scopes };
}
