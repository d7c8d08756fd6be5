import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { namesOf, propertiesOf } from './merge-objects.ts';
import { STRICT_LIMITS } from './provider-rules.ts';

/** Why one schema cannot be sent in strict mode without loss; nothing if it can. */
export function notStrictBecause(node: JsonObject): string | undefined {
  const { type, additionalProperties, items } = node;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (!['type', 'enum', 'const', 'anyOf', '$ref'].some((keyword) => Object.hasOwn(node, keyword))) {
    return 'does not say what it is';
  }
  if (
    Object.hasOwn(node, '$ref') &&
    Object.keys(node).some((keyword) => keyword !== '$ref' && keyword !== 'description')
  ) {
    return 'adds to what it refers to';
  }
  if ((types.includes('object') || Object.hasOwn(node, 'properties')) && additionalProperties !== false) {
    return 'is open to properties that it does not name';
  }
  if (types.includes('array') && items === undefined) return 'does not say what its items are';
  return undefined;
}

/** Requires every property; those that were optional may be null instead of missing. */
export function requireAll(node: JsonObject): { readonly schema: JsonObject; readonly optional: readonly string[] } {
  const { $ref, description } = node;
  // Nothing may stand beside a reference, not even words.
  if ($ref !== undefined && description !== undefined)
    return { schema: { description, anyOf: [{ $ref }] }, optional: [] };
  if (!Object.hasOwn(node, 'properties') && node['additionalProperties'] !== false)
    return { schema: node, optional: [] };
  const properties = propertiesOf(node);
  const required = new Set(namesOf(node['required']));
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    required.has(name) ? schema : orNull(schema),
  ]);
  return { schema: { ...node, properties: Object.fromEntries(entries), required: Object.keys(properties) }, optional };
}

/** Why a whole view is more than strict mode takes; nothing if it is not. */
export function tooLargeForStrict(schema: JsonObject): string | undefined {
  const size = { properties: 0, depth: 0, enumValues: 0 };
  measure(schema, 0, size);
  if (size.properties > STRICT_LIMITS.properties) return `it has more than ${STRICT_LIMITS.properties} properties`;
  if (size.depth > STRICT_LIMITS.depth) return `it nests deeper than ${STRICT_LIMITS.depth} levels`;
  if (size.enumValues > STRICT_LIMITS.enumValues) return `it lists more than ${STRICT_LIMITS.enumValues} values`;
  const isLong = JSON.stringify(schema).length > STRICT_LIMITS.characters;
  return isLong ? `it is longer than ${STRICT_LIMITS.characters} characters` : undefined;
}

function orNull(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { type, enum: values, anyOf, description, ...rest } = schema;
  const orNothing = (forms: readonly unknown[]): JsonObject => ({
    ...(description !== undefined && { description }),
    anyOf: [...forms, { type: 'null' }],
  });
  const isOnlyChoice =
    Array.isArray(anyOf) && type === undefined && values === undefined && Object.keys(rest).length === 0;
  if (isOnlyChoice) return orNothing(anyOf);
  const isPlain = typeof type === 'string' && !Object.hasOwn(rest, 'const') && anyOf === undefined;
  if (isPlain)
    return {
      ...schema,
      type: [type, 'null'],
      ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    };
  return orNothing([Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'description'))]);
}

function measure(node: unknown, depth: number, size: { properties: number; depth: number; enumValues: number }): void {
  if (!isJsonObject(node)) return;
  const properties = Object.values(propertiesOf(node));
  size.properties += properties.length;
  size.depth = Math.max(size.depth, depth);
  if (Array.isArray(node['enum'])) size.enumValues += node['enum'].length;
  for (const child of properties) measure(child, depth + 1, size);
  measure(node['items'], depth + 1, size);
  const sideways = [
    ...(Array.isArray(node['anyOf']) ? (node['anyOf'] as unknown[]) : []),
    ...Object.values(isJsonObject(node['$defs']) ? node['$defs'] : {}),
  ];
  for (const child of sideways) measure(child, depth, size);
}
