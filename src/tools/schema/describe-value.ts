import { isJsonObject } from '../../call/json-object.ts';
import { stripHidden } from '../hidden-characters.ts';
import { jsonKind } from './json-value.ts';

const MAX_TEXT = 60;
const MAX_CHOICES = 12;

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** What came, by its kind and as much of its value as fits a line. */
export function describeFound(value: unknown): string {
  const kind = jsonKind(value);
  if (kind === undefined) return typeof value === 'number' ? `${value}` : `something that JSON cannot carry`;
  if (kind === 'string') return `the string ${quoted(value as string)}`;
  if (kind === 'number') return `the number ${String(value)}`;
  if (kind === 'array') return `an array of ${count((value as unknown[]).length, 'item')}`;
  if (kind === 'object') return `an object with ${count(Object.keys(value as object).length, 'property')}`;
  return String(value);
}

/** The types that are wanted, as a reader would say them. */
export function describeTypes(types: readonly string[]): string {
  return joined(types.map((type) => WITH_ARTICLE[type] ?? type));
}

/** The values that are wanted; a long list is cut. */
export function describeChoices(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_CHOICES).map(shortJson);
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} or one of ${more} more` : joined(shown);
}

/** What a schema mainly asks for, in two or three words; nothing if that takes more. */
export function describeWanted(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (Array.isArray(schema['enum'])) return describeChoices(schema['enum']);
  if (Object.hasOwn(schema, 'const')) return shortJson(schema['const']);
  const type = schema['type'];
  if (typeof type === 'string') return WITH_ARTICLE[type];
  return Array.isArray(type) && type.every((item) => typeof item === 'string') ? describeTypes(type) : undefined;
}

/** A name or a text from outside, quoted, without what cannot be seen, and never long. */
export function quoted(text: string): string {
  return JSON.stringify(cut(stripHidden(text.slice(0, 4 * MAX_TEXT)), MAX_TEXT));
}

/** Some things in a sentence. */
export function joined(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} or ${String(words.at(-1))}`;
}

/** A number of things: 1 item, 2 items, 2 properties. */
export function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function shortJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const text = stripHidden(JSON.stringify(value).slice(0, 4 * MAX_TEXT));
  return cut(text, MAX_TEXT);
}

function cut(text: string, length: number): string {
  // Whole characters only: half a pair would be no text at all.
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
