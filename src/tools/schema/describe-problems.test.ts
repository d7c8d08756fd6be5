import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSchema } from './compile-schema.ts';
import { describePath, describeProblems } from './describe-problems.ts';

test('[S1.fail-invalid] names the argument, what came and what is expected', () => {
  const filter = { type: 'object', properties: { name: { type: 'string' }, limit: { type: 'integer', maximum: 9 } } };
  const schema = { properties: { filters: { type: 'array', items: filter } } };
  expect(textFor(schema, { filters: [{}, { limit: 10 }, { name: 42 }] })).toBe(
    'filters[1].limit: expected at most 9, got the number 10\nfilters[2].name: expected a string, got the number 42',
  );
});

test('says what a missing argument should be, and what it was probably sent as', () => {
  const schema = { properties: { path: { type: 'string' }, mode: { enum: ['r', 'w'] } }, required: ['path', 'mode', 'x y'] };
  expect(textFor(schema, { Path: '/tmp' })).toBe(
    'path: is missing; expected a string; was it sent as "Path"?\nmode: is missing; expected "r" or "w"\n["x y"]: is missing',
  );
});

test('suggests the nearest known name for an unknown one', () => {
  const schema = { properties: { recursive: {}, depth: {} }, additionalProperties: false };
  expect(textFor(schema, { recursiv: true, zzz: 1 })).toBe(
    'recursiv: is not a known property; did you mean "recursive"?\nzzz: is not a known property',
  );
});

test('shows five problems and counts the others', () => {
  const schema = { items: { type: 'string' } };
  const text = textFor(schema, Array.from({ length: 1000 }, (_, index) => index));
  expect(text.split('\n')).toHaveLength(6);
  expect(text).toMatch(/\nand 995 more$/);
});

test('never shows a long value', () => {
  const long = 'x'.repeat(10_000);
  expect(textFor({ type: 'number' }, long)).toBe(`the whole value: expected a number, got the string "${'x'.repeat(59)}…"`);
  expect(textFor({ enum: Array.from({ length: 1000 }, (_, index) => index) }, -1)).toBe(
    'the whole value: expected 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 988 more, got the number -1',
  );
});

test('puts simple alternatives into one sentence', () => {
  expect(textFor({ anyOf: [{ type: 'string' }, { type: 'null' }, { const: 7 }] }, true)).toBe(
    'the whole value: expected a string, null or 7, got true',
  );
});

test('explains a choice of forms by the one that comes nearest', () => {
  const form = (kind: string, field: string): unknown => ({
    type: 'object',
    properties: { kind: { const: kind }, [field]: { type: 'string' } },
    required: ['kind', field],
    additionalProperties: false,
  });
  const schema = { properties: { shape: { oneOf: [form('circle', 'radius'), form('square', 'side'), { type: 'null' }] } } };
  expect(textFor(schema, { shape: { kind: 'square', sidee: '1' } })).toBe(
    [
      'shape: fits none of the 3 allowed forms; nearest is form 2',
      'shape.side: is missing; expected a string; was it sent as "sidee"?',
      'shape.sidee: is not a known property; did you mean "side"?',
    ].join('\n'),
  );
});

test('says when a value fits several forms that exclude each other', () => {
  expect(textFor({ oneOf: [{ minimum: 1 }, { maximum: 0 }, { minimum: 2 }] }, 3)).toBe(
    'the whole value: fits 2 of the allowed forms (1, 3), must fit exactly one',
  );
});

test('writes a path as code would, without what cannot be seen', () => {
  expect(describePath(['a', 0, 'b c', 'd\u200Be', '$x'])).toBe('a[0]["b c"].de.$x');
});

test('has a text for every value that does not fit, and never a long one', () => {
  const leaf = fc.oneof(
    fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null').map((type) => ({ type })),
    fc.jsonValue({ maxDepth: 1 }).map((value) => ({ const: value })),
    fc.array(fc.jsonValue({ maxDepth: 1 })).map((values) => ({ enum: values })),
    fc.boolean(),
    fc.string({ maxLength: 2000 }).map((name) => ({ required: [name], additionalProperties: false })),
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      tie('schema').map((items) => ({ items, minItems: 1 })),
      tie('schema').map((not) => ({ not })),
      fc.dictionary(fc.string(), tie('schema')).map((properties) => ({ properties, minProperties: 1 })),
    ),
  }));
  fc.assert(
    fc.property(schema, fc.jsonValue(), (anySchema, value) => {
      const check = compileSchema(anySchema);
      if (check.kind === 'unusable') return false;
      const verdict = check.check(value);
      const text = describeProblems(verdict);
      expect(describeProblems(check.check(value))).toBe(text);
      return verdict.valid ? text === '' : text.length > 0 && text.length < 2500;
    }),
  );
});

function textFor(schema: unknown, value: unknown): string {
  const check = compileSchema(schema);
  if (check.kind === 'unusable') throw new Error(check.reason);
  return describeProblems(check.check(value));
}
