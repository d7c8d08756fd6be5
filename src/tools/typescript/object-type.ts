import type { JsonObject } from '../../call/tool-ref.ts';
import { schemaComment } from './doc-comment.ts';
import { propertyKey } from './literal-type.ts';
import { indent, isSame, NEVER, OPEN_OBJECT, plainType, typeText, unionOf, UNKNOWN } from './type-text.ts';
import type { TypeText } from './type-text.ts';

/** Prints a schema that stands inside another one. */
export type PrintSchema = (schema: unknown) => TypeText;

interface Member {
  readonly name: string;
  readonly type: TypeText;
  readonly isRequired: boolean;
  readonly comment: string;
}

// A type that must repeat those of all properties is worth reading only while it is short.
const MAX_INDEX_TYPE = 120;

/** The properties of an object schema; other names only where the schema speaks of them, so that a wrong name is found. */
export function objectType(schema: JsonObject, print: PrintSchema): TypeText {
  const members = membersOf(schema, print);
  const others = otherValues(schema, print);
  if (members.length === 0) {
    if (others) return asObject([indexLine(others)]);
    return schema['additionalProperties'] === false ? asObject([indexLine(NEVER)]) : OPEN_OBJECT;
  }
  const lines = members.map(memberLine);
  if (others) lines.push(indexLine(agreeing(others, members)));
  return asObject(lines);
}

/** Whether a schema without a type speaks of objects. */
export function impliesObject(schema: JsonObject): boolean {
  return ['properties', 'required', 'additionalProperties', 'patternProperties'].some((word) => word in schema);
}

function membersOf(schema: JsonObject, print: PrintSchema): readonly Member[] {
  const { properties, required } = schema as { readonly properties?: unknown; readonly required?: unknown };
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
  const described = isMap(properties) ? Object.entries(properties) : [];
  const names = new Set(described.map(([name]) => name));
  const bare = [...needed].filter((name) => !names.has(name)).map((name) => [name, true] as const);
  return [...described, ...bare].map(([name, value]) => ({
    name,
    type: print(value),
    isRequired: needed.has(name),
    comment: schemaComment(value),
  }));
}

/** What the properties that are not named may be; nothing where the schema does not speak of them. */
function otherValues(schema: JsonObject, print: PrintSchema): TypeText | undefined {
  const { additionalProperties: additional, patternProperties: patterns } = schema as {
    readonly additionalProperties?: unknown;
    readonly patternProperties?: unknown;
  };
  const values = isMap(patterns) ? Object.values(patterns).map(print) : [];
  if (additional !== undefined && additional !== false) values.push(print(additional));
  return values.length === 0 ? undefined : unionOf(values);
}

/** An index signature must allow what the named properties have. */
function agreeing(others: TypeText, members: readonly Member[]): TypeText {
  const missing = members.some(({ isRequired }) => !isRequired) ? [plainType('undefined')] : [];
  const all = unionOf([others, ...members.map(({ type }) => type), ...missing]);
  return isSame(all, others) || typeText(all).length <= MAX_INDEX_TYPE ? all : UNKNOWN;
}

function memberLine({ name, type, isRequired, comment }: Member): string {
  return `${comment}${propertyKey(name)}${isRequired ? '' : '?'}:${spaced(type)};`;
}

function indexLine(type: TypeText): string {
  return `[key: string]:${spaced(type)};`;
}

function spaced(type: TypeText): string {
  const text = typeText(type);
  return text.startsWith('\n') ? indent(text) : ` ${text}`;
}

function asObject(lines: readonly string[]): TypeText {
  const [only = '', ...more] = lines;
  const isShort = more.length === 0 && only.startsWith('[') && !only.includes('\n');
  const text = isShort ? `{ ${only.slice(0, -1)} }` : `{\n  ${lines.map(indent).join('\n  ')}\n}`;
  return { members: [text], form: 'object' };
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
