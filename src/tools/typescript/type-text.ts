/** A TypeScript type as text: the members of a union, where no member means never. */
export interface TypeText {
  readonly members: readonly string[];
  /** What its only member is, where that decides how it is written. */
  readonly form?: 'object' | 'intersection';
}

export const UNKNOWN: TypeText = { members: ['unknown'] };
export const NEVER: TypeText = { members: [] };
/** An object about which nothing else is known. */
export const OPEN_OBJECT: TypeText = { members: ['{ [key: string]: unknown }'], form: 'object' };

// Longer unions have a line for each member.
const MAX_LINE = 100;

export function plainType(text: string): TypeText {
  return { members: [text] };
}

/** One of several types; what accepts everything swallows the others. */
export function unionOf(types: readonly TypeText[]): TypeText {
  const [only, ...more] = distinct(types.filter(({ members }) => members.length > 0));
  if (only === undefined) return NEVER;
  if (more.length === 0) return only;
  const members = [...new Set([only, ...more].flatMap(parenthesizedMembers))];
  return members.includes('unknown') ? UNKNOWN : { members };
}

/** All of several types at once; what says nothing is left out. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  const telling = distinct(types.filter((type) => !isSame(type, UNKNOWN)));
  // Beside another part, that it is an object is known already; written out it would allow any other property.
  const narrow = telling.filter((type) => !isSame(type, OPEN_OBJECT));
  const parts = narrow.length > 0 ? narrow : telling;
  if (parts.some((type) => type.members.length === 0)) return NEVER;
  const [only, ...more] = parts;
  if (only === undefined) return UNKNOWN;
  return more.length === 0 ? only : { members: [parts.map(operandText).join(' & ')], form: 'intersection' };
}

export function arrayOf(element: TypeText): TypeText {
  return plainType(`${operandText(element)}[]`);
}

/** The type as it is written where any type may stand. */
export function typeText({ members }: TypeText): string {
  if (members.length === 0) return 'never';
  const line = members.join(' | ');
  if (members.length === 1 || (line.length <= MAX_LINE && !line.includes('\n'))) return line;
  return members.map((member) => `\n| ${indent(member)}`).join('');
}

/** The type as it is written where something binds to it: in parentheses unless it stands for itself. */
export function operandText(type: TypeText): string {
  const text = typeText(type);
  if (type.members.length <= 1 && type.form !== 'intersection') return text;
  return text.startsWith('\n') ? `(${indent(text)}\n)` : `(${text})`;
}

/** Moves every line but the first one step to the right. Only comments and code have line breaks, never a literal. */
export function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

export function isSame(left: TypeText, right: TypeText): boolean {
  return typeText(left) === typeText(right);
}

/** In a union an intersection is easier to read in parentheses. */
function parenthesizedMembers(type: TypeText): readonly string[] {
  return type.form === 'intersection' ? [operandText(type)] : type.members;
}

function distinct(types: readonly TypeText[]): readonly TypeText[] {
  return [...new Map(types.map((type) => [typeText(type), type])).values()];
}
