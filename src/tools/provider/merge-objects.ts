import { isJsonObject } from '../../call/json-object.ts';
import { canonicalJson } from '../../call/canonical-json.ts';
import type { JsonObject } from '../../call/tool-ref.ts';

/** What became of schemas put into one, and what was lost. */
export interface Merged {
  readonly schema: JsonObject;
  readonly losses: readonly string[];
}

/** One schema for what must meet both; what does not fit together stays as the first has it. */
export function mergeBoth(first: JsonObject, second: JsonObject): Merged {
  const merged: Record<string, unknown> = { ...first };
  const losses: string[] = [];
  for (const [keyword, value] of Object.entries(second)) {
    const present = merged[keyword];
    if (present === undefined) merged[keyword] = value;
    else if (keyword === 'properties') merged[keyword] = bothProperties(present, value, losses);
    else if (keyword === 'required') merged[keyword] = [...new Set([...namesOf(present), ...namesOf(value)])];
    else if (keyword === 'description')
      merged[keyword] = [present, value].filter((text) => typeof text === 'string').join(' ');
    else if (keyword === 'additionalProperties') Object.assign(merged, closing(present, value, losses));
    else if (!isEqual(present, value)) losses.push(`two different ${keyword} cannot be put into one`);
  }
  return { schema: merged, losses };
}

/** One object schema for what must meet a base and any of several forms. */
export function mergeAny(base: JsonObject, forms: readonly JsonObject[]): Merged {
  const properties: [string, unknown][] = Object.entries(propertiesOf(base));
  const known = new Map(properties);
  for (const name of new Set(forms.flatMap((form) => Object.keys(propertiesOf(form))))) {
    const versions = forms.flatMap((form) =>
      Object.hasOwn(propertiesOf(form), name) ? [propertiesOf(form)[name]] : [],
    );
    if (!known.has(name) || versions.length === forms.length) known.set(name, anyVersion(versions));
  }
  const shared = namesOf(forms[0]?.['required']).filter((name) =>
    forms.every((form) => namesOf(form['required']).includes(name)),
  );
  const required = [...new Set([...namesOf(base['required']), ...shared])];
  const isClosed =
    base['additionalProperties'] === false || forms.every((form) => form['additionalProperties'] === false);
  const { required: _, ...rest } = base;
  const schema: JsonObject = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(known),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  };
  return { schema, losses: [] };
}

/** The names in a `required`; none for what is no list. */
export function namesOf(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema['properties']) ? schema['properties'] : {};
}

function bothProperties(first: unknown, second: unknown, losses: string[]): unknown {
  if (!isJsonObject(first) || !isJsonObject(second)) return first;
  const entries = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    const present = entries.get(name);
    if (present !== undefined && isJsonObject(present) && isJsonObject(schema)) {
      const merged = mergeBoth(present, schema);
      entries.set(name, merged.schema);
      losses.push(...merged.losses);
    } else if (present === undefined) entries.set(name, schema);
  }
  return Object.fromEntries(entries);
}

/** Closed by one of them, it would be closed to what the other one names. */
function closing(first: unknown, second: unknown, losses: string[]): JsonObject {
  if (isEqual(first, second)) return {};
  losses.push('two different additionalProperties cannot be put into one');
  return { additionalProperties: true };
}

function anyVersion(versions: readonly unknown[]): unknown {
  const different = [...new Map(versions.map((version) => [canonicalJson(version), version])).values()];
  if (different.length === 1) return different[0];
  const choices = different.map(choicesOf);
  if (!choices.every((list) => list !== undefined)) return { anyOf: different };
  const types = new Set(different.map((version) => (isJsonObject(version) ? version['type'] : undefined)));
  const [type] = types;
  return { ...(types.size === 1 && type !== undefined && { type }), enum: [...new Set(choices.flat())] };
}

/** The plain values that a schema is a list of, if it is no more than that. */
function choicesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(schema) || !Object.keys(schema).every((key) => key === 'type' || key === 'const' || key === 'enum'))
    return undefined;
  const list = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  return Array.isArray(list) && list.every((item) => typeof item !== 'object' || item === null) ? list : undefined;
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
