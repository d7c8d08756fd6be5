import { McpError } from '../errors.ts';

/** What JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

// Far deeper than any state; a stack overflow would say neither where nor why.
const MAX_DEPTH = 500;

/** A copy of a value that survives JSON unchanged; throws with the path of the first part that would not. */
export function copyJson(value: unknown, path = ''): JsonValue {
  return copy(value, path, []);
}

function copy(value: unknown, path: string, parents: readonly object[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // JSON has one zero.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  if (typeof value !== 'object') throw unusable(path, nameOf(value));
  if (parents.includes(value)) throw unusable(path, 'a part of itself');
  if (parents.length === MAX_DEPTH) throw unusable(path, 'nested too deeply');
  const inner = [...parents, value];
  // Array.from, because map passes over holes.
  if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item, `${path}/${index}`, inner));
  if (!isPlain(value)) throw unusable(path, nameOf(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, copy(field, `${path}/${key}`, inner)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return `an instance of ${value?.constructor?.name || 'a class'}`;
}

function unusable(path: string, what: string): McpError {
  return new McpError('SESSION_INVALID', `${path || 'the value'} is ${what}, which JSON cannot say`);
}
