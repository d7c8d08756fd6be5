import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import type { Note } from './constraint-text.ts';
import { mergeBoth } from './merge-objects.ts';

// Which keywords speak of which type.
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'format', 'minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'format'],
  integer: ['minimum', 'maximum', 'format'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
};
const TYPED = new Set(Object.values(OF_TYPE).flat());

/** One type, a mark for null, and nothing beside `anyOf`: what the OpenAPI subset can say. */
export function markNullable(node: JsonObject, note: Note): JsonObject {
  return standAlone(withSingleType(withItems(node)), note);
}

function withItems(node: JsonObject): JsonObject {
  const { type } = node;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && !Object.hasOwn(node, 'items') ? { ...node, items: {} } : node;
}

function withSingleType(node: JsonObject): JsonObject {
  const { type } = node;
  if (type === 'null') return { ...without(node, new Set(['type'])), nullable: true };
  if (!Array.isArray(type)) return node;
  const types = type.filter((name) => name !== 'null');
  const nullable = types.length < type.length ? { nullable: true } : {};
  const plain = without(node, new Set(['type', 'anyOf', ...TYPED]));
  if (types.length === 0) return { ...plain, ...nullable };
  const forms = types.map((name: string) => {
    const own = (OF_TYPE[name] ?? []).filter((keyword) => Object.hasOwn(node, keyword));
    return { type: name, ...Object.fromEntries(own.map((keyword) => [keyword, node[keyword]])) };
  });
  return { ...plain, ...nullable, anyOf: forms };
}

/** Whatever stands beside `anyOf` moves into each of its forms. */
function standAlone(node: JsonObject, note: Note): JsonObject {
  const { anyOf, ...beside } = node;
  if (!Array.isArray(anyOf)) return node;
  const forms = anyOf.filter(isJsonObject);
  const real = forms.filter((form) => !isOnlyNull(form));
  const siblings: JsonObject = real.length < forms.length ? { ...beside, nullable: true } : beside;
  const merged = real.map((form) => {
    const { schema, losses } = mergeBoth(form, siblings);
    for (const loss of losses) note(`anyOf: ${loss}`);
    return schema;
  });
  if (merged.length === 0) return siblings;
  return merged.length === 1 ? (merged[0] ?? {}) : { anyOf: merged };
}

function isOnlyNull(form: JsonObject): boolean {
  return form['nullable'] === true && !Object.hasOwn(form, 'type') && !Object.hasOwn(form, 'anyOf');
}

function without(node: JsonObject, keywords: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.has(keyword)));
}
