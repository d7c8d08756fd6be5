import type { JsonObject } from '../call/tool-ref.ts';

/** What a schema says about arguments that travel as HTTP headers too. */
export type HeaderParameters =
  | { readonly kind: 'valid'; readonly count: number }
  | { readonly kind: 'invalid'; readonly reason: string };

const KEY = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
// What stands in these is a value, not a schema.
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', KEY]);
const MAX_DEPTH = 64;

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Reached from the root through `properties` alone. */
  readonly isPlain: boolean;
}

/** Checks every `x-mcp-header` of a tool's schema: one that is out of place makes the whole tool unusable. */
export function headerParameters(schema: JsonObject): HeaderParameters {
  const names = new Set<string>();
  const reason = visit(schema, { path: '', depth: 0, isPlain: true }, names);
  return reason === undefined ? { kind: 'valid', count: names.size } : { kind: 'invalid', reason };
}

function visit(node: unknown, place: Place, names: Set<string>): string | undefined {
  if (typeof node !== 'object' || node === null || place.depth > MAX_DEPTH) return undefined;
  const fault = KEY in node ? faultOf(node, place, names) : undefined;
  if (fault !== undefined) return fault;
  const isList = Array.isArray(node);
  for (const [key, child] of Object.entries(node)) {
    if (!isList && VALUES.has(key)) continue;
    const found =
      key === 'properties' && !isList
        ? visitProperties(child, place, names)
        : visit(child, { path: `${place.path}/${key}`, depth: place.depth + 1, isPlain: false }, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function visitProperties(properties: unknown, place: Place, names: Set<string>): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  for (const [name, child] of Object.entries(properties)) {
    const found = visit(child, { ...place, path: `${place.path}/${name}`, depth: place.depth + 1 }, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function faultOf(schema: Readonly<Record<string, unknown>>, place: Place, names: Set<string>): string | undefined {
  const name = schema[KEY];
  const where = `${KEY} at ${place.path || 'the root'}`;
  if (!place.isPlain || place.path === '') return `${where} is not on a plain property`;
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${where} is not a header name: ${JSON.stringify(name)}`;
  if (!TYPES.has(schema['type'])) return `${where} is on a ${JSON.stringify(schema['type']) ?? 'typeless'} property`;
  if (names.has(name.toLowerCase())) return `${where} names ${name} a second time`;
  names.add(name.toLowerCase());
  return undefined;
}
