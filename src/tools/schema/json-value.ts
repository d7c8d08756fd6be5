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
  return primitiveKey(value) ?? `${OBJECT_MARK}${canonicalJson(value)}`;
}

/** The same for what has no parts; undefined for what has. */
export function primitiveKey(value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'object' && value !== null) return undefined;
  // -0 and 0 are one number.
  return value === 0 ? 0 : (value ?? null);
}

// A text that looks like an object's key must not be taken for it.
const OBJECT_MARK = 'o';
