import { OPEN_OBJECT, plainType, typeText, unionOf, UNKNOWN } from './type-text.ts';
import type { TypeText } from './type-text.ts';

// What is bigger is no literal that anybody would write; its kind is printed instead.
const MAX_VALUES = 500;
const MAX_TEXT = 200;
const MAX_DEPTH = 3;
const MAX_ITEMS = 20;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
// Quotes are escaped for our kind of quotes; what a reader would not see is spelled out.
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The values of an enum, as a union of literals. */
export function enumType(values: readonly unknown[]): TypeText {
  const isList = values.length <= MAX_VALUES;
  return unionOf(values.map((value) => (isList ? literalType(value) : kindType(value))));
}

/** The type that has this one value. */
export function literalType(value: unknown, depth: number = 0): TypeText {
  if (typeof value === 'string' && value.length <= MAX_TEXT) return plainType(quoted(value));
  if (typeof value === 'number' && Number.isFinite(value)) return plainType(String(value));
  if (typeof value === 'boolean') return plainType(String(value));
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return kindType(value);
  const nested = (item: unknown): string => typeText(literalType(item, depth + 1));
  const fields = Object.entries(value);
  if (fields.length > MAX_ITEMS) return kindType(value);
  if (Array.isArray(value)) return plainType(`[${value.map(nested).join(', ')}]`);
  if (fields.length === 0) return plainType('{ [key: string]: never }');
  return plainType(`{ ${fields.map(([key, item]) => `${propertyKey(key)}: ${nested(item)}`).join('; ')} }`);
}

/** A property's name as a type spells it. */
export function propertyKey(name: string): string {
  return IDENTIFIER.test(name) ? name : quoted(name);
}

/** A string literal on one line. */
export function quoted(text: string): string {
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${body.replaceAll(UNREADABLE, escapeCharacter)}'`;
}

function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function kindType(value: unknown): TypeText {
  if (value === null) return plainType('null');
  if (Array.isArray(value)) return plainType('unknown[]');
  if (typeof value === 'object') return OPEN_OBJECT;
  return ['string', 'number', 'boolean'].includes(typeof value) ? plainType(typeof value) : UNKNOWN;
}
