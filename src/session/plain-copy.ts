// Far deeper than what anybody reads.
const MAX_DEPTH = 64;

/** The value itself if JSON can say it, else a copy with words in the place of what it cannot. */
export function toJsonSafe<Value>(value: Value): Value {
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return plainCopy(value) as Value;
  }
}

/** A copy that JSON can say, whatever is in the value: cycles, numbers beyond JSON, getters that throw. */
export function plainCopy(value: unknown): unknown {
  return copy(value, []);
}

function copy(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (parents.includes(value)) return '[circular]';
  if (parents.length === MAX_DEPTH) return '[nested too deeply]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const inner = [...parents, value];
  if (Array.isArray(value)) return value.map((item) => copy(item, inner));
  const copied = Object.entries(readableFields(value)).map(([key, field]) => [key, copy(field, inner)]);
  return Object.fromEntries(copied) as object;
}

/** The fields that can be read; an error's name and message are not among its own. */
export function readableFields(value: object): Readonly<Record<string, unknown>> {
  const names = value instanceof Error ? ['name', 'message', ...keysOf(value)] : keysOf(value);
  return Object.fromEntries(names.map((name) => [name, readField(value, name)]));
}

function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    // A proxy may refuse.
    return [];
  }
}

function readField(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return '[unreadable]';
  }
}
