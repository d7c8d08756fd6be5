import type { FieldPath, FieldProblem, FieldWarning } from './config-problem.ts';
import { isMap } from './found-value.ts';
import { respellKeys, saidTwice } from './key-spelling.ts';
import type { Aliases, RespelledMap } from './key-spelling.ts';
import { unknownKey } from './schema-problems.ts';
import { OAUTH_KEYS, SERVER_KEYS } from './server-entry.ts';

/** Whose habits a server's entry follows: our files and the design documents, or `.mcp.json` and its relatives. */
export type Dialect = 'fairlead' | 'mcp-json';

/** A server's entry under our own keys, with no transport inside a transport. */
export interface RespelledServer extends RespelledMap {
  readonly warnings: readonly FieldWarning[];
}

/** What may also stand in a `transport` map of its own. */
export const TRANSPORT_KEYS: readonly string[] = [
  ...['type', 'command', 'args', 'cwd', 'env', 'url', 'headers', 'method', 'oauth', 'id', 'name'],
];

/** Other names that the design documents have for a server's fields. */
export const DOCUMENT_ALIASES: Aliases = {
  alias: 'name',
  kind: 'type',
  toolAllowlist: 'enabledTools',
  dispatchEvents: 'trackInvocations',
};

const MCP_JSON_KEYS: readonly string[] = [
  ...TRANSPORT_KEYS,
  ...['description', 'timeout', 'connectTimeout', 'enabled', 'enabledTools', 'disabledTools'],
];

const ALIASES: Readonly<Record<Dialect, Aliases>> = {
  fairlead: DOCUMENT_ALIASES,
  'mcp-json': { serverUrl: 'url', includeTools: 'enabledTools', excludeTools: 'disabledTools' },
};

/** Reads an entry in any of the accepted spellings. */
export function respellServer(raw: Readonly<Record<string, unknown>>, dialect: Dialect): RespelledServer {
  const known = dialect === 'fairlead' ? SERVER_KEYS : MCP_JSON_KEYS;
  const entry = new EntryRespelling(respellKeys(raw, known, ALIASES[dialect]));
  if (dialect === 'mcp-json') entry.translateMcpJson();
  entry.flattenTransport();
  entry.translateType();
  entry.respellOAuth(dialect);
  if (dialect === 'mcp-json') entry.dropUnknown(known);
  return entry;
}

class EntryRespelling implements RespelledServer {
  readonly value: Record<string, unknown>;
  readonly origins: Map<string, FieldPath>;
  readonly problems: FieldProblem[];
  readonly warnings: FieldWarning[] = [];

  constructor(start: RespelledMap) {
    this.value = { ...start.value };
    this.origins = new Map(start.origins);
    this.problems = [...start.problems];
  }

  /** `httpUrl` says two things at once, and `disabled` says the opposite of what we say. */
  translateMcpJson(): void {
    if ('httpUrl' in this.value) {
      if (!('type' in this.value)) this.value['type'] = 'http';
      this.#rename('httpUrl', 'url', (url) => url);
    }
    this.#rename('disabled', 'enabled', (disabled) => (typeof disabled === 'boolean' ? !disabled : disabled));
  }

  /** `transport` is either the kind (000, 004) or a map of its own (001). */
  flattenTransport(): void {
    const transport = this.value['transport'];
    if (transport === null) delete this.value['transport'];
    if (!isMap(transport)) return this.#rename('transport', 'type', (kind) => kind);
    const place = this.origins.get('transport') ?? ['transport'];
    delete this.value['transport'];
    const inner = respellKeys(transport, TRANSPORT_KEYS, { kind: 'type' });
    const inside = (path: FieldPath): FieldPath => [...place, ...path];
    this.problems.push(...inner.problems.map((problem) => ({ ...problem, path: inside(problem.path) })));
    for (const [key, value] of Object.entries(inner.value)) {
      const path = inside(inner.origins.get(key) ?? [key]);
      if (TRANSPORT_KEYS.includes(key)) this.#add(key, value, path);
      else this.problems.push(unknownKey(path, TRANSPORT_KEYS));
    }
  }

  translateType(): void {
    const type = this.value['type'];
    if (typeof type !== 'string') return;
    const plain = type.toLowerCase().replaceAll(/[-_\s]/g, '');
    if (plain === 'streamablehttp' || plain === 'http') this.value['type'] = 'http';
  }

  respellOAuth(dialect: Dialect): void {
    const oauth = this.value['oauth'];
    if (!isMap(oauth)) return;
    const place = this.origins.get('oauth') ?? ['oauth'];
    const inner = respellKeys(oauth, OAUTH_KEYS);
    this.problems.push(...inner.problems.map((problem) => ({ ...problem, path: [...place, ...problem.path] })));
    const entries = Object.entries(inner.value);
    const unused = dialect === 'mcp-json' ? entries.filter(([key]) => !OAUTH_KEYS.includes(key)) : [];
    for (const [key] of unused) this.#ignore([...place, key]);
    this.value['oauth'] = Object.fromEntries(entries.filter((item) => !unused.includes(item)));
  }

  /** Other programs keep their own settings in `.mcp.json`. */
  dropUnknown(known: readonly string[]): void {
    for (const key of Object.keys(this.value)) {
      if (known.includes(key)) continue;
      delete this.value[key];
      this.#ignore(this.origins.get(key) ?? [key]);
    }
  }

  #ignore(path: FieldPath): void {
    this.warnings.push({ path, message: 'Fairlead does not use this key' });
  }

  #rename(from: string, to: string, translate: (value: unknown) => unknown): void {
    if (!(from in this.value)) return;
    const value = this.value[from];
    const path = this.origins.get(from) ?? [from];
    delete this.value[from];
    this.origins.delete(from);
    if (value !== null) this.#add(to, translate(value), path);
  }

  #add(key: string, value: unknown, path: FieldPath): void {
    const other = this.origins.get(key);
    if (other) {
      this.problems.push(saidTwice(path, other));
      return;
    }
    this.value[key] = value;
    this.origins.set(key, path);
  }
}
