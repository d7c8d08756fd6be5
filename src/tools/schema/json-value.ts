import { canonicalJson } from '../../call/canonical-json.ts';
import type { JsonObject } from '../../call/tool-ref.ts';

/** The type names of JSON Schema. */
export type JsonKind = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'string';

/** What JSON would call a value; undefined for what JSON cannot carry. */
export function jsonKind(value: unknown): JsonKind | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const kind = typeof value;
  if (kind === 'number') return Number.isFinite(value) ? 'number' : undefined;
  return kind === 'string' || kind === 'boolean' || kind === 'object' ? kind : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The property names that would survive being written as JSON. */
export function presentKeys(value: JsonObject): readonly string[] {
  const keys = Object.keys(value);
  for (const key of keys) {
    if (value[key] === undefined) return keys.filter((name) => value[name] !== undefined);
  }
  return keys;
}

/** Whether an object has a property of its own that JSON would carry. */
export function isPresent(value: JsonObject, key: string): boolean {
  return value[key] !== undefined && Object.hasOwn(value, key);
}

/** Equal for two values that are equal as JSON; texts and numbers never collide. */
export function equalityKey(value: unknown): unknown {
  // -0 and 0 are one number, also as keys of a Set.
  return typeof value === 'object' && value !== null ? `${OBJECT_MARK}${canonicalJson(value)}` : textKey(value);
}

// A text that looks like an object's key must not be taken for it.
const OBJECT_MARK = 'o';

function textKey(value: unknown): unknown {
  return typeof value === 'string' ? `s${value}` : value;
}
