import { isJsonObject } from '../call/json-object.ts';
import type { JsonObject } from '../call/tool-ref.ts';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

const TYPES: ReadonlySet<string> = new Set<JsonType>([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);
// Schemas come from servers and may refer to themselves.
const MAX_DEPTH = 8;

/** The types that a property of an object schema may have; none when the schema does not say. */
export function schemaTypes(root: JsonObject, property: string): ReadonlySet<JsonType> {
  const properties = root['properties'];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, property)) return new Set();
  return typesOf(properties[property], root, 0);
}

function typesOf(schema: unknown, root: JsonObject, depth: number): ReadonlySet<JsonType> {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return new Set();
  const { type } = schema as { readonly type?: unknown };
  if (type !== undefined) return new Set([type].flat().filter(isType));
  if (Array.isArray(schema['enum'])) return new Set(schema['enum'].map(typeOfValue));
  if ('const' in schema) return new Set([typeOfValue(schema['const'])]);
  if (typeof schema['$ref'] === 'string') return typesOf(resolve(schema['$ref'], root), root, depth + 1);
  const alternatives = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray) ?? [];
  return new Set(alternatives.flatMap((each) => [...typesOf(each, root, depth + 1)]));
}

/** Follows a reference inside the same schema. */
function resolve(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#/')) return undefined;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>(
    (value, step) => (isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    root,
  );
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function isType(value: unknown): value is JsonType {
  return typeof value === 'string' && TYPES.has(value);
}
