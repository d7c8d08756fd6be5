import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { withConstraints, withRemark } from './constraint-text.ts';
import type { Note } from './constraint-text.ts';
import { mergeAny, mergeBoth, namesOf, propertiesOf } from './merge-objects.ts';

/** What is needed to make one plain object of a root. */
export interface RootContext {
  readonly definitions: JsonObject;
  /** The keywords that the provider does not take at the root. */
  readonly forbidden: ReadonlySet<string>;
  readonly note: Note;
}

const MAX_DEPTH = 20;
const MAX_FORMS = 8;
// Putting more into one takes long, and nobody would read it.
const MAX_PARTS = 200;

/** The root as one plain object: what it is put together from is put into one. Undefined if that cannot be done. */
export function flattenRoot(root: JsonObject, context: RootContext, depth = 0): JsonObject | undefined {
  if (depth > MAX_DEPTH || !isObjectLike(root)) return undefined;
  const { forbidden, note } = context;
  const { $ref, allOf, anyOf, oneOf, ...rest } = root;
  const together: unknown[] = Array.isArray(allOf) ? [...(allOf as unknown[])] : [];
  if ($ref !== undefined) together.unshift({ $ref });
  let result: JsonObject | undefined = { ...rest, type: 'object' };
  if (together.length > MAX_PARTS) return undefined;
  for (const part of together) {
    const flat = flattenPart(part, context, depth);
    if (flat === undefined) return undefined;
    const merged = mergeBoth(result, flat);
    for (const loss of merged.losses) note(`allOf: ${loss}`);
    result = merged.schema;
  }
  for (const forms of [anyOf, oneOf]) {
    if (!Array.isArray(forms)) continue;
    result = withForms(result, forms, { context, depth });
    if (result === undefined) return undefined;
  }
  return depth === 0 ? withoutForbidden(result, forbidden, note) : result;
}

function flattenPart(part: unknown, context: RootContext, depth: number): JsonObject | undefined {
  if (!isJsonObject(part)) return undefined;
  const { $ref, ...beside } = part;
  if (typeof $ref !== 'string') return flattenRoot(part, context, depth + 1);
  const target = context.definitions[$ref.replace('#/$defs/', '')];
  if (!isJsonObject(target)) return undefined;
  const flat = flattenRoot(target, context, depth + 1);
  const rest = flat && flattenRoot(beside, context, depth + 1);
  return flat && rest && mergeBoth(flat, rest).schema;
}

function withForms(
  base: JsonObject,
  forms: readonly unknown[],
  { context, depth }: { readonly context: RootContext; readonly depth: number },
): JsonObject | undefined {
  if (forms.length > MAX_PARTS) return undefined;
  const flat = forms.map((form) => flattenPart(form, context, depth));
  if (flat.length === 0 || !flat.every((form) => form !== undefined)) return undefined;
  const { schema } = mergeAny(base, flat);
  context.note('several forms are shown as one; which properties go together is in the description');
  return withRemark(schema, describeForms(flat));
}

function describeForms(forms: readonly JsonObject[]): string {
  const texts = forms.map((form) => {
    const required = namesOf(form['required']);
    const names = Object.entries(propertiesOf(form)).map(([name, schema]) => {
      const isFixed = isJsonObject(schema) && Object.hasOwn(schema, 'const');
      const value = isFixed ? ` = ${JSON.stringify(schema['const']).slice(0, 60)}` : '';
      return `${name}${value}${required.includes(name) ? '' : ' (optional)'}`;
    });
    const others = required.filter((name) => !Object.hasOwn(propertiesOf(form), name));
    return `{${[...names, ...others].slice(0, 20).join(', ')}}`;
  });
  const more = texts.length > MAX_FORMS ? ` or ${texts.length - MAX_FORMS} other forms` : '';
  return `Give the properties of one of these forms: ${texts.slice(0, MAX_FORMS).join(' or ')}${more}.`;
}

function withoutForbidden(root: JsonObject, forbidden: ReadonlySet<string>, note: Note): JsonObject {
  const lost = Object.entries(root).filter(([keyword]) => forbidden.has(keyword));
  if (lost.length === 0) return root;
  note(`${lost.map(([keyword]) => keyword).join(', ')} moved into the description`);
  const kept = Object.fromEntries(Object.entries(root).filter(([keyword]) => !forbidden.has(keyword)));
  return withConstraints(kept, Object.fromEntries(lost));
}

function isObjectLike({ type, not }: JsonObject): boolean {
  const isNever = isJsonObject(not) && Object.keys(not).length === 0;
  return !isNever && (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object')));
}
