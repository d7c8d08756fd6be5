import { isIP } from 'node:net';
import { McpError } from '../errors.ts';

/** One entry of an allow list, taken apart. */
export interface HostRule {
  /** As `canonicalHost` spells it; of a wildcard, what follows the `*.`. */
  readonly host: string;
  /** True for every name below the host, and not for the host itself. */
  readonly isWildcard: boolean;
  /** Any port, unless one is given. */
  readonly port?: number;
}

/** Where a connection is to go, the host as `canonicalHost` spells it. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
}

const MAX_HOST_LENGTH = 253;
const MAX_PORT = 65_535;

/** The one spelling of a host that all its spellings share; undefined for what is no host. */
export function canonicalHost(text: string): string | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const isBracketed = bare !== text;
  if (bare.length > MAX_HOST_LENGTH || !/^[^\s/\\?#@%[\]<>^|"'`{}*,;\u0000-\u0020\u007F]+$/.test(bare))
    return undefined;
  if (bare.includes(':') || isBracketed) return isIP(bare) === 6 ? hostnameOf(`[${bare}]`) : undefined;
  const host = hostnameOf(bare)?.replace(/\.$/, '');
  const isName = host !== undefined && host !== '' && host.split('.').every((label) => label !== '');
  return isName ? host : undefined;
}

/** Reads `host:port`, as CONNECT names its target; undefined for anything else. */
export function parseAuthority(text: string): EgressTarget | undefined {
  const [, name = '', digits = ''] = /^(\[[^\]]*\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host === undefined || !isPort(port) ? undefined : { host, port };
}

/** Reads an entry of an allow list; throws an error that says what to write instead. */
export function parseHostRule(text: string): HostRule {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.includes('/'))
    throw invalid(text, 'a url; write the host alone, such as api.github.com');
  if (text === '*')
    throw invalid(text, 'every host; leave the network policy out to leave the network open, or name the hosts');
  const { name, port } = splitPort(text);
  if (port !== undefined && !isPort(port)) throw invalid(text, `no host with a port from 1 to ${MAX_PORT}`);
  const isWildcard = name.startsWith('*.');
  const host = canonicalHost(isWildcard ? name.slice(2) : name);
  if (host === undefined) throw invalid(text, 'no host; write a name such as api.github.com or *.github.com');
  if (isWildcard && (isIP(host) !== 0 || !host.includes('.')))
    throw invalid(text, 'too wide; a wildcard stands before a domain of two labels or more, such as *.github.com');
  return { host, isWildcard, ...(port !== undefined && { port }) };
}

export function matchesRule(rule: HostRule, target: EgressTarget): boolean {
  if (rule.port !== undefined && rule.port !== target.port) return false;
  if (!rule.isWildcard) return target.host === rule.host;
  return isIP(target.host) === 0 && target.host.endsWith(`.${rule.host}`);
}

/** A rule in its one spelling. */
export function formatRule({ host, isWildcard, port }: HostRule): string {
  const name = isIP(host) === 6 && port !== undefined ? `[${host}]` : host;
  return `${isWildcard ? '*.' : ''}${name}${port === undefined ? '' : `:${port}`}`;
}

/** A target as messages show it. */
export function formatTarget({ host, port }: EgressTarget): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function splitPort(text: string): { readonly name: string; readonly port?: number } {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(text) ?? [];
  return name === undefined ? { name: text } : { name, port: Number(port) };
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= MAX_PORT;
}

/** What every browser makes of it: lower case, punycode, and each way of writing an address as the usual one. */
function hostnameOf(host: string): string | undefined {
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname.replaceAll(/^\[|\]$/g, '') : undefined;
}

function invalid(text: string, what: string): McpError {
  return new McpError('SERVER_INVALID', `the network policy names '${text}', which is ${what}`);
}
