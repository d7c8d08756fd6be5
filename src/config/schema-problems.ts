import type { z } from 'zod';
import { closestWord } from './closest-word.ts';
import type { FieldPath, FieldProblem } from './config-problem.ts';
import { describeFound, isMap, quote } from './found-value.ts';

export type SchemaResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Which keys a map knows, by its path, for the question what an unknown one was meant to be. */
export type KnownKeys = (path: FieldPath) => readonly string[];

/** Checks a value against a schema and puts every mistake into the words of our error messages. */
export function checkSchema<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  knownKeys: KnownKeys,
): SchemaResult<Value> {
  // A schema's own message wins over this one; so an issue's message always says what was expected.
  const result = schema.safeParse(value, { error: expectedOf });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, value, knownKeys)) };
}

/** The mistake of a key that nobody knows, with what it was probably meant to be. */
export function unknownKey(path: FieldPath, known: readonly string[]): FieldProblem {
  const meant = closestWord(String(path.at(-1)), known);
  const expected = meant === undefined ? `one of ${known.join(', ')}` : `a known key; did you mean ${quote(meant)}?`;
  return { path, part: 'key', found: 'an unknown key', expected };
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown, knownKeys: KnownKeys): FieldProblem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], knownKeys(path)));
  if (issue.code === 'invalid_key') {
    const expected = issue.issues[0]?.message ?? issue.message;
    return [{ path, part: 'key', found: quote(String(path.at(-1))), expected }];
  }
  return [{ path, part: 'value', found: describeFound(valueAt(value, path), path), expected: issue.message }];
}

const TYPES_IN_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function expectedOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES_IN_WORDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return alternatives(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue['options']) ? alternatives(issue['options']) : 'another value';
    case 'too_small':
      return issue.origin === 'number' ? `at least ${String(issue.minimum)}` : 'something that is not empty';
    case 'too_big':
      return `at most ${String(issue.maximum)}`;
    default:
      return 'another value';
  }
}

function alternatives(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? quote(value) : String(value)));
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(', ')} or ${String(words.at(-1))}`;
}

function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isMap(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
