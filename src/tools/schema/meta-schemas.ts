import type { Schema } from './subschema-places.ts';

const SCHEMA: Schema = { $dynamicRef: '#meta' };
const SCHEMAS: Schema = { type: 'array', minItems: 1, items: SCHEMA };
const SCHEMA_MAP: Schema = { type: 'object', additionalProperties: SCHEMA };
const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const NUMBER: Schema = { type: 'number' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const NAMES: Schema = { type: 'array', items: TEXT, uniqueItems: true };
const ANCHOR: Schema = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };
const TYPE: Schema = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

/** Each keyword and what its value must be, as 2020-12 says; one schema stands for all its vocabularies. */
const KEYWORDS: Readonly<Record<string, Schema>> = {
  $id: { type: 'string', pattern: '^[^#]*#?$' },
  $schema: TEXT,
  $ref: TEXT,
  $anchor: ANCHOR,
  $dynamicRef: TEXT,
  $dynamicAnchor: ANCHOR,
  $vocabulary: { type: 'object', additionalProperties: FLAG },
  $comment: TEXT,
  $defs: SCHEMA_MAP,
  definitions: SCHEMA_MAP,
  dependencies: { type: 'object', additionalProperties: { anyOf: [SCHEMA, NAMES] } },
  prefixItems: SCHEMAS,
  items: SCHEMA,
  contains: SCHEMA,
  additionalProperties: SCHEMA,
  properties: SCHEMA_MAP,
  patternProperties: SCHEMA_MAP,
  dependentSchemas: SCHEMA_MAP,
  propertyNames: SCHEMA,
  if: SCHEMA,
  // oxlint-disable-next-line no-thenable -- the name of a keyword
  then: SCHEMA,
  else: SCHEMA,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  not: SCHEMA,
  unevaluatedItems: SCHEMA,
  unevaluatedProperties: SCHEMA,
  type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1, uniqueItems: true }] },
  const: true,
  enum: { type: 'array' },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: NUMBER,
  exclusiveMaximum: NUMBER,
  minimum: NUMBER,
  exclusiveMinimum: NUMBER,
  maxLength: COUNT,
  minLength: COUNT,
  pattern: TEXT,
  maxItems: COUNT,
  minItems: COUNT,
  uniqueItems: FLAG,
  maxContains: COUNT,
  minContains: COUNT,
  maxProperties: COUNT,
  minProperties: COUNT,
  required: NAMES,
  dependentRequired: { type: 'object', additionalProperties: NAMES },
  title: TEXT,
  description: TEXT,
  deprecated: FLAG,
  readOnly: FLAG,
  writeOnly: FLAG,
  examples: { type: 'array' },
  format: TEXT,
  contentEncoding: TEXT,
  contentMediaType: TEXT,
  contentSchema: SCHEMA,
};

const ADDRESS = 'https://json-schema.org/draft/2020-12/schema';

/** The one document that a schema may refer to without bringing it along: what a schema itself must be. */
export const META_SCHEMAS: ReadonlyMap<string, Schema> = new Map([
  [ADDRESS, { $id: ADDRESS, $dynamicAnchor: 'meta', type: ['object', 'boolean'], properties: KEYWORDS }],
]);
