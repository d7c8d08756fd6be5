import { isJsonObject } from '../../call/json-object.ts';

/** What may be used as a schema: an object of keywords, or yes and no. */
export type Schema = Readonly<Record<string, unknown>> | boolean;

/** How the value of a keyword holds other schemas. */
export type Holding = 'one' | 'list' | 'map' | 'one-or-list';

/** The keywords that hold schemas; in all others a schema-like value is only data. */
export const SUBSCHEMA_PLACES: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['dependencies', 'map'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['items', 'one-or-list'],
  ['additionalItems', 'one'],
  ['additionalProperties', 'one'],
  ['propertyNames', 'one'],
  ['contains', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['unevaluatedItems', 'one'],
  ['unevaluatedProperties', 'one'],
  ['contentSchema', 'one'],
]);

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** Every schema directly inside a schema. */
export function subschemasOf(schema: Readonly<Record<string, unknown>>): readonly Schema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const holding = SUBSCHEMA_PLACES.get(keyword);
    return holding === undefined ? [] : heldSchemas(value, holding).filter(isSchema);
  });
}

function heldSchemas(value: unknown, holding: Holding): readonly unknown[] {
  if (holding === 'one') return [value];
  if (holding === 'map') return isJsonObject(value) ? Object.values(value) : [];
  if (Array.isArray(value)) return value;
  return holding === 'list' ? [] : [value];
}
