import { describe, expect, test } from 'vitest';
import { compileSchema } from './compile-schema.ts';
import type { SchemaCheck } from './schema-check.ts';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.ts';

type Case = readonly [family: string, schema: unknown, valid: readonly unknown[], invalid: readonly unknown[]];

const WIDE = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, index]));
const WIDE_OPEN = Object.fromEntries(Object.keys(WIDE).map((name) => [name, true]));
const LONG = Array.from({ length: 500 }, (_, index) => index);
const TREE = {
  type: 'object',
  properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
  required: ['value'],
};

const CASES: readonly Case[] = [
  ['type', { type: ['string', 'null'] }, ['a', null], [1, [], {}]],
  ['integer', { type: 'integer' }, [1, 1.0, -0], [1.5, Number.NaN, '1']],
  ['enum', { enum: [1, { a: [1, 2], b: null }] }, [1, { b: null, a: [1, 2] }], ['1', { a: [2, 1], b: null }]],
  ['const', { const: { a: 1 } }, [{ a: 1 }], [{ a: '1' }, '{"a":1}']],
  ['bounds', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
  ['multipleOf', { multipleOf: 0.0001 }, [0.0075, 3, 1e300], [0.00751]],
  ['lengths', { minLength: 2, maxLength: 2 }, ['ab', '💩💩', 7], ['a', 'abc', '💩']],
  ['pattern', { pattern: 'a+\\d' }, ['xa1', 'é aa9'], ['a', '']],
  ['items', { prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [[1, 'a'], []], [['a'], [1, 2]]],
  ['array sizes', { minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, true]], [[], [1, 1], [1, 2, 3]]],
  ['contains', { contains: { const: 1 }, minContains: 2 }, [[1, 0, 1]], [[1], []]],
  ['properties', { properties: { a: { type: 'string' } }, required: ['a'] }, [{ a: '' }], [{ a: 1 }, {}]],
  ['undefined is absent', { required: ['a'], maxProperties: 1 }, [{ a: 1, b: undefined }], [{ a: undefined }]],
  [
    'patternProperties',
    { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
    [{ 'x-a': 1 }],
    [{ 'x-a': '1' }, { y: 1 }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }], [{ a: 1 }]],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 5], [4]],
  ['oneOf', { oneOf: [{ minimum: 1 }, { minimum: 5 }] }, [1, 4], [0, 5]],
  ['not', { not: { type: 'string' } }, [1], ['a']],
  // oxlint-disable-next-line no-thenable -- the name of a keyword
  ['if', { if: { minimum: 5 }, then: { maximum: 9 }, else: { const: 1 } }, [1, 5, 9], [2, 10]],
  ['boolean schemas', { properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
  ['recursion', TREE, [{ value: 1, children: [{ value: 2 }] }], [{ value: 1, children: [{}] }]],
  ['$ref with siblings', { $defs: { n: { type: 'number' } }, $ref: '#/$defs/n', minimum: 3 }, [3], [2, 'a']],
  ['$id and $anchor', { $defs: { n: { $id: 'n', $anchor: 'x', type: 'null' } }, $ref: 'n#x' }, [null], [0]],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: true } }], anyOf: [{ required: ['b'], properties: { b: true } }, true], unevaluatedProperties: false },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  ['unevaluatedItems', { contains: { const: 1 }, unevaluatedItems: { type: 'string' } }, [[1, 'a']], [[1, 2]]],
  ['own names only', { required: ['toString', '__proto__'] }, [JSON.parse('{"toString":1,"__proto__":2}')], [{}]],
  ['format is a remark', { format: 'uri' }, ['not a uri'], []],
  ['the meta-schema', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, [{ type: 'null' }], [{ type: 'nil' }]],
];

describe('judges as JSON Schema 2020-12 says', () => {
  test.each(CASES)('[S1.schema-full] %s', (_, schema, valid, invalid) => {
    const check = usable(schema);
    expect(valid.map((value) => check.check(value).valid)).toEqual(valid.map(() => true));
    expect(invalid.map((value) => check.check(value).valid)).toEqual(invalid.map(() => false));
  });
});

test('[S1.types] tells every type of JSON from all others, and optional from required', () => {
  const values = { string: 'a', number: 1.5, integer: 2, boolean: false, array: [1], object: { a: { b: 1 } }, null: null };
  const taken = Object.keys(values).map((type) => {
    const check = usable({ properties: { value: { type } }, required: [] });
    expect(check.check({})).toEqual({ valid: true });
    const fitting = Object.entries(values).filter(([, value]) => check.check({ value }).valid);
    return [type, fitting.map(([name]) => name)];
  });
  expect(Object.fromEntries(taken)).toEqual({
    string: ['string'],
    number: ['number', 'integer'],
    integer: ['integer'],
    boolean: ['boolean'],
    array: ['array'],
    object: ['object'],
    null: ['null'],
  });
});

test('finds the outermost of several meanings of a dynamic reference', () => {
  const list = { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } };
  const check = usable({ $ref: 'list', $defs: { list, text: { $dynamicAnchor: 'item', type: 'string' } } });
  expect([check.check(['a']).valid, check.check([1]).valid]).toEqual([true, false]);
});

test('reads the older drafts as what they are', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const check = usable({
    $schema,
    definitions: { text: { type: 'string' } },
    properties: {
      pair: { items: [{ type: 'number' }], additionalItems: false },
      alone: { $ref: '#/definitions/text', maxLength: 1 },
      above: { minimum: 3, exclusiveMinimum: true },
    },
    dependencies: { pair: ['alone'] },
  });
  const values = [{ pair: [1], alone: 'long' }, { pair: [1, 2], alone: '' }, { pair: [] }, { above: 3 }];
  expect(values.map((value) => check.check(value).valid)).toEqual([true, false, false, false]);
  expect(check.report).toEqual([]);
});

test('ignores a keyword that makes no sense, says so, and keeps the others', () => {
  const check = usable({ properties: { a: { type: 'strng', required: true, minLength: 2 }, b: 'text' }, minimum: '3' });
  expect(check.report).toEqual([
    '/minimum is not a number; it is not enforced',
    '/properties/a/type names no known type; it is not enforced',
    '/properties/a/required is not a list of names; it is not enforced',
    '/properties/b is not a schema; it is not enforced',
  ]);
  expect([check.check({ a: 'x' }).valid, check.check({ a: 'xx', b: 1 }).valid]).toEqual([false, true]);
});

test('does not enforce a pattern that could run for ages, and loses nothing else', () => {
  const check = usable({ type: 'string', pattern: '^(a+)+$', maxLength: 50 });
  expect(check.report).toEqual(['/pattern could take too long to match; it is not enforced']);
  expect([check.check(`${'a'.repeat(40)}!`).valid, check.check('a'.repeat(51)).valid]).toEqual([true, false]);
});

test.each([
  [{ $ref: 'https://example.com/a.json' }, '$ref "https://example.com/a.json" leads out of the schema, and nothing is fetched'],
  [{ $ref: 'file:///etc/passwd' }, '$ref "file:///etc/passwd" leads out of the schema, and nothing is fetched'],
  [{ $ref: '#/$defs/missing' }, '$ref "#/$defs/missing" points at nothing'],
  [{ $ref: '#' }, 'it refers to itself without end'],
  [{ anyOf: [{ type: 'string' }, { allOf: [{ $ref: '#' }] }] }, 'it refers to itself without end'],
  ['text', 'it is not a schema'],
  [nested(200), 'it nests deeper than 120 levels'],
])('cannot use %j', (schema, reason) => {
  expect(compileSchema(schema)).toEqual({ kind: 'unusable', reason });
});

test('bounds the size of a schema', () => {
  const limits = { ...DEFAULT_SCHEMA_LIMITS, maxNodes: 10, maxCharacters: 100, maxReferences: 1 };
  const reasons = [
    { enum: Array.from({ length: 10 }, () => 1) },
    { description: 'x'.repeat(100) },
    { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } },
  ].map((schema) => {
    const check = compileSchema(schema, limits);
    return check.kind === 'unusable' ? check.reason : 'usable';
  });
  expect(reasons).toEqual([
    'it has more than 10 parts',
    'it is longer than 100 characters',
    'it has more than 1 references',
  ]);
});

test('bounds the work for one value, however the schema multiplies it', () => {
  const doubled = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { allOf: [next, next] }];
  });
  const check = usable({ $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(doubled), d40: {} } });
  expect(check.check(1)).toMatchObject({ valid: false, problems: [{ keyword: 'limit' }] });
});

test.each<readonly [string, unknown, unknown]>([
  ['const', { const: WIDE }, WIDE],
  ['enum', { enum: [WIDE] }, WIDE],
  ['uniqueItems', { uniqueItems: true }, LONG],
  ['contains', { contains: { minimum: 0 } }, LONG],
  ['unevaluatedItems', { prefixItems: [], unevaluatedItems: { minimum: 0 } }, LONG],
  ['minProperties', { minProperties: 1 }, WIDE],
  ['propertyNames', { propertyNames: { minLength: 1 } }, WIDE],
  ['properties', { properties: Object.fromEntries(Object.keys(WIDE).map((name) => [`no ${name}`, {}])) }, WIDE],
  ['patternProperties', { patternProperties: { '^no': {} } }, WIDE],
  ['additionalProperties', { properties: WIDE_OPEN, additionalProperties: false }, WIDE],
  ['unevaluatedProperties', { properties: WIDE_OPEN, unevaluatedProperties: false }, WIDE],
  ['required', { required: Object.keys(WIDE) }, WIDE],
  ['dependentRequired', { dependentRequired: { p0: Object.keys(WIDE) } }, WIDE],
  ['minLength', { minLength: 1 }, 'x'.repeat(20_000)],
  ['multipleOf', { items: { multipleOf: 0.5 } }, LONG.map((item) => item + 0.5)],
])('counts what %s does with a large value', (_, schema, value) => {
  const limits = { ...DEFAULT_SCHEMA_LIMITS, maxSteps: 20_000 };
  const verdictOf = (copies: number): unknown => {
    const check = compileSchema({ allOf: Array.from({ length: copies }, () => schema) }, limits);
    return check.kind === 'usable' ? check.check(value) : check.reason;
  };
  expect(verdictOf(1)).toEqual({ valid: true });
  expect(verdictOf(100)).toMatchObject({ valid: false, problems: [{ keyword: 'limit' }] });
});

test('counts what it takes to explain, too', () => {
  const wrong = Object.fromEntries(Object.keys(WIDE).map((name) => [`${name}x`, 1]));
  const forms = Array.from({ length: 100 }, () => ({ properties: WIDE_OPEN, additionalProperties: false }));
  const explained = (copies: number): unknown => usable({ anyOf: forms.slice(0, copies) }).check(wrong);
  expect(explained(2)).toHaveProperty('problems[0].keyword', 'anyOf');
  // What was found before it became too much is told.
  expect(explained(100)).toHaveProperty('problems[0].keyword', 'additionalProperties');
});

test('bounds how deep a value is followed', () => {
  const check = compileSchema(TREE, { ...DEFAULT_SCHEMA_LIMITS, maxNesting: 9 });
  const value = (levels: number): unknown => (levels === 0 ? { value: 0 } : { value: 0, children: [value(levels - 1)] });
  const problems = [2, 3].map((levels) => check.kind === 'usable' && check.check(value(levels)));
  expect(problems).toMatchObject([{ valid: true }, { valid: false, problems: [{ keyword: 'limit' }] }]);
});

test('bounds the work of patterns, however many texts there are', () => {
  const check = usable({ items: { pattern: '[a-z]+@' } });
  expect(check.report).toEqual(['/items/pattern: is held against texts of up to 5000 characters only']);
  const text = `${'a'.repeat(4999)}@`;
  expect(check.check([text, text])).toEqual({ valid: true });
  expect(check.check(Array.from({ length: 11 }, () => text))).toMatchObject({ problems: [{ keyword: 'limit' }] });
});

function usable(schema: unknown): Extract<SchemaCheck, { kind: 'usable' }> {
  const check = compileSchema(schema);
  if (check.kind === 'unusable') throw new Error(check.reason);
  return check;
}

function nested(levels: number): unknown {
  let schema: unknown = {};
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  return schema;
}
