import { z } from 'zod';
import { configFileSchema } from './config-schema.ts';
import { isMap } from './found-value.ts';
import { DOCUMENT_ALIASES, TRANSPORT_KEYS } from './server-spelling.ts';

/** The JSON Schema of `fairlead.yaml`, for editors; it accepts every spelling that we accept. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  // Editors know draft 7 best.
  const schema: unknown = z.toJSONSchema(configFileSchema, { target: 'draft-7', io: 'input' });
  const complete = withSnakeCase(schema);
  const { servers } = (complete as { readonly properties: { readonly servers: Record<string, unknown> } }).properties;
  servers['additionalProperties'] = withDocumentSpellings(servers['additionalProperties'] as ObjectSchema);
  return { title: 'Fairlead', ...(complete as object) };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Adds the other names of a server's fields that the parser knows. */
function withDocumentSpellings(server: ObjectSchema): ObjectSchema {
  const { properties } = server;
  const own = Object.fromEntries(TRANSPORT_KEYS.map((field) => [field, properties[field]]));
  const transport = { anyOf: [properties['type'], { type: 'object', properties: own, additionalProperties: false }] };
  const aliases = Object.entries(DOCUMENT_ALIASES).flatMap(([alias, field]) =>
    [alias, snakeCase(alias)].map((spelling) => [spelling, sameAs(field, properties[field])]),
  );
  return {
    ...server,
    properties: { ...properties, transport, ...(Object.fromEntries(aliases) as Record<string, unknown>) },
  };
}

/** Beside each key of several words its snake_case twin. */
function withSnakeCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSnakeCase);
  if (!isMap(schema)) return schema;
  const copied = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withSnakeCase(value)]));
  if (!isMap(copied['properties'])) return copied;
  const twins = Object.entries(copied['properties'])
    .map(([key, value]) => [snakeCase(key), sameAs(key, value)] as const)
    .filter(([twin]) => !Object.hasOwn(copied['properties'] as object, twin));
  return { ...copied, properties: { ...copied['properties'], ...Object.fromEntries(twins) } };
}

function sameAs(key: string, schema: unknown): unknown {
  return { ...(schema as object), description: `The same as ${key}.` };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
