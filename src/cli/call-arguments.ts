import type { JsonObject } from '../call/tool-ref.ts';
import { schemaTypes } from './schema-types.ts';
import type { JsonType } from './schema-types.ts';
import { UsageError } from './usage-error.ts';

/** One `key=value` or `key:=json` of a command line. */
export interface Assignment {
  readonly key: string;
  readonly value: string;
  readonly isJson: boolean;
}

/** Takes `key=value` apart; undefined when it is none. */
export function parseAssignment(word: string): Assignment | undefined {
  const match = /^([^=]*?)(:?)=(.*)$/s.exec(word);
  const [, key = '', colon, value = ''] = match ?? [];
  return key === '' ? undefined : { key, value, isJson: colon === ':' };
}

/** Takes the words after a verb's own arguments apart, or says which of them is no assignment. */
export function parseAssignments(words: readonly string[], verb: string): readonly Assignment[] {
  const assignments = words.map((word) => {
    const assignment = parseAssignment(word);
    if (!assignment) throw new UsageError(`'${word}' is not key=value${jsonHint(word, verb)}`, verb);
    return assignment;
  });
  const keys = assignments.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new UsageError(`'${twice}' is given twice`, verb);
  return assignments;
}

/** The arguments that assignments stand for: text, unless the tool's schema or `:=` says otherwise. */
export function toArguments(assignments: readonly Assignment[], inputSchema: JsonObject = {}): JsonObject {
  return Object.fromEntries(assignments.map((each) => [each.key, toValue(each, inputSchema)]));
}

/** The arguments that `--args` gives, which must be a JSON object. */
export function parseJsonArguments(text: string, origin: string): JsonObject {
  const value = parseJson(text, origin);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError(`${origin} must be a JSON object, not ${typeOf(value)}`, 'call');
}

function jsonHint(word: string, verb: string): string {
  return verb === 'call' && word.startsWith('{') ? '; JSON is given with --args' : '';
}

function toValue({ key, value, isJson }: Assignment, inputSchema: JsonObject): unknown {
  if (isJson) return parseJson(value, key);
  const types = schemaTypes(inputSchema, key);
  if (types.size === 0 || types.has('string')) return value;
  const wanted = [...types].join(' or ');
  const parsed = tryJson(value);
  if (parsed.ok && isOneOf(parsed.value, types)) return parsed.value;
  throw new UsageError(`${key} must be ${wanted} by the tool's schema, not '${value}'`, 'call');
}

function isOneOf(value: unknown, types: ReadonlySet<JsonType>): boolean {
  const type = typeOf(value);
  if (types.has(type)) return true;
  return type === 'number' && types.has('integer') && Number.isInteger(value);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function parseJson(text: string, origin: string): unknown {
  const parsed = tryJson(text);
  if (parsed.ok) return parsed.value;
  throw new UsageError(`${origin} is not JSON: ${parsed.reason}`, 'call');
}

function tryJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}
