import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { jsonKind } from '../schema/json-value.ts';
import { withConstraints, withRemark } from './constraint-text.ts';
import type { Note } from './constraint-text.ts';
import { mergeBoth, namesOf, propertiesOf } from './merge-objects.ts';
import { markNullable } from './nullable-mark.ts';
import type { ProviderRules } from './provider-rules.ts';

// They describe a schema, or are meant for programs: nothing is lost without them.
const SILENT = /^(?:\$|x-|deprecated$|readOnly$|writeOnly$|content|examples$|title$|description$)/;

// Putting more into one takes long, and nobody would read it.
const MAX_PARTS = 200;

/** One schema as the provider takes it; its subschemas are taken care of already. */
export function restrictNode(node: JsonObject, rules: ProviderRules, note: Note): JsonObject {
  if (rules.keywords === undefined) return node;
  const { keywords } = rules;
  let result = keywords.has('allOf') ? node : withoutAllOf(node, note);
  result = keywords.has('oneOf') ? result : oneOfAsAnyOf(result, note);
  result = keywords.has('const') ? result : constAsEnum(result);
  const dropped = new Map<string, unknown>();
  result = withEnum(result, rules, dropped);
  if (rules.formats && typeof result['format'] === 'string' && !rules.formats.has(result['format'])) {
    dropped.set('format', result['format']);
  }
  result = requireKnown(result, dropped);
  for (const [keyword, value] of Object.entries(result)) if (!keywords.has(keyword)) dropped.set(keyword, value);
  return moveToText(result, dropped, { rules, note });
}

function moveToText(
  node: JsonObject,
  dropped: ReadonlyMap<string, unknown>,
  { rules, note }: { readonly rules: ProviderRules; readonly note: Note },
): JsonObject {
  const { default: preset } = node;
  const isGone = (keyword: string): boolean => dropped.has(keyword) && keyword !== 'required';
  let result: JsonObject = Object.fromEntries(Object.entries(node).filter(([keyword]) => !isGone(keyword)));
  const lost = [...dropped].filter(
    ([keyword, value]) => keyword !== 'default' && !SILENT.test(keyword) && !isIdle(keyword, value),
  );
  if (lost.length > 0) note(`${lost.map(([keyword]) => keyword).join(', ')} moved into the description`);
  result = withConstraints(result, Object.fromEntries(lost));
  if (preset !== undefined && dropped.has('default'))
    result = withRemark(result, `Default: ${JSON.stringify(preset).slice(0, 100)}.`);
  return rules.nullable === 'mark' ? markNullable(result, note) : result;
}

/** What says nothing need not be said. */
function isIdle(keyword: string, value: unknown): boolean {
  return (keyword === 'additionalProperties' && value === true) || (keyword === 'uniqueItems' && value === false);
}

function withoutAllOf(node: JsonObject, note: Note): JsonObject {
  const { allOf, ...rest } = node;
  if (!Array.isArray(allOf)) return node;
  let result: JsonObject = rest;
  const parts = allOf.filter(isJsonObject);
  if (parts.length > MAX_PARTS) note(`only ${MAX_PARTS} parts of allOf are shown`);
  for (const part of parts.slice(0, MAX_PARTS)) {
    const merged = mergeBoth(result, part);
    result = merged.schema;
    for (const loss of merged.losses) note(`allOf: ${loss}`);
  }
  return result;
}

function oneOfAsAnyOf(node: JsonObject, note: Note): JsonObject {
  const { oneOf, ...rest } = node;
  if (!Array.isArray(oneOf) || Object.hasOwn(rest, 'anyOf')) return node;
  note('oneOf is shown as anyOf');
  return { ...rest, anyOf: oneOf };
}

function constAsEnum(node: JsonObject): JsonObject {
  if (!Object.hasOwn(node, 'const')) return node;
  const { const: value, ...rest } = node;
  return { ...rest, enum: [value] };
}

function withEnum(node: JsonObject, rules: ProviderRules, dropped: Map<string, unknown>): JsonObject {
  const values = node['enum'];
  if (!Array.isArray(values) || rules.enums === 'any') return node;
  const plain = values.filter((value) => value !== null);
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isAllowed = (value: unknown): boolean =>
    isText(value) || (rules.enums === 'texts-and-numbers' && typeof value === 'number');
  if (plain.length > 0 && plain.every(isAllowed)) {
    return rules.nullable === 'mark' && plain.every(isText)
      ? { ...node, type: plain.length < values.length ? ['string', 'null'] : 'string', enum: plain }
      : { ...node, enum: plain.length < values.length && rules.nullable === 'type' ? values : plain };
  }
  dropped.set('enum', values);
  const kinds = new Set(values.map(jsonKind));
  const [kind] = kinds;
  return Object.hasOwn(node, 'type') || kinds.size !== 1 ? node : { ...node, type: kind };
}

/** Only what is described can be required. */
function requireKnown(node: JsonObject, dropped: Map<string, unknown>): JsonObject {
  const known = propertiesOf(node);
  const required = namesOf(node['required']);
  const unknown = required.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return node;
  dropped.set('required', unknown);
  return { ...node, required: required.filter((name) => Object.hasOwn(known, name)) };
}
