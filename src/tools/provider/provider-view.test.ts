import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../call/tool-ref.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { toPropertyName } from './property-name.ts';
import { PROVIDER_RULES } from './provider-rules.ts';
import type { Provider } from './provider-rules.ts';
import { providerView } from './provider-view.ts';
import type { ProviderView } from './provider-view.ts';

const PROVIDERS = Object.keys(PROVIDER_RULES) as Provider[];

test('[S1.schema-table] sends a plain schema as it is, with its description', () => {
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where.' } },
    required: ['path'],
  };
  const view = viewOf(inputSchema, 'anthropic');
  expect(plain(view)).toEqual({ isNameSafe: true, description: 'Does it.', inputSchema, isStrict: false, report: [] });
  expect(view.toServerArguments({ path: '/' })).toEqual({ path: '/' });
});

test('[S1.schema-table] keeps a description up to the limit of the provider', () => {
  const spec = { name: 'a.b', description: 'x'.repeat(2000), inputSchema: { type: 'object' } };
  expect(providerView(spec, 'anthropic').description).toHaveLength(2000);
  const view = providerView(spec, 'openai');
  expect([view.description.length, view.isNameSafe, view.report]).toEqual([
    1024,
    false,
    ['the description is cut from 2000 to 1024 characters'],
  ]);
});

test('shows a root of several forms as one object and says which properties go together', () => {
  const inputSchema = {
    type: 'object',
    oneOf: [
      { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] },
      { properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind'] },
    ],
  };
  expect(plain(viewOf(inputSchema, 'openai'))).toEqual({
    isNameSafe: true,
    description:
      'Does it.\n\nGive the properties of one of these forms: {kind = "file", path} or {kind = "url", url (optional)}.',
    inputSchema: {
      type: 'object',
      properties: { kind: { enum: ['file', 'url'] }, path: { type: 'string' }, url: { type: 'string' } },
      required: ['kind'],
    },
    isStrict: false,
    report: ['the root: several forms are shown as one; which properties go together is in the description'],
  });
});

test('wraps a root that cannot be shown as one object, and unwraps what comes for it', () => {
  const inputSchema = { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'array' }] };
  const view = viewOf(inputSchema, 'anthropic');
  expect(view.inputSchema).toEqual({ type: 'object', properties: { input: inputSchema }, required: ['input'] });
  expect(view.report).toEqual(["the root: cannot be shown as one object; it is wrapped as the property 'input'"]);
  expect([view.toServerArguments({ input: { a: 1 } }), view.toServerArguments({ a: 1 })]).toEqual([{ a: 1 }, { a: 1 }]);
});

test('closes and requires everything in strict mode, and drops the nulls that stand for nothing', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 2 },
      b: { type: ['string', 'null'] },
      c: { enum: ['x', 'y'] },
      t: { $ref: '#' },
    },
    required: ['a', 'b'],
    additionalProperties: false,
  };
  const view = viewOf(inputSchema, 'openai-strict');
  const properties = {
    a: { type: 'string', description: 'Must meet {minLength: 2}.' },
    b: { type: ['string', 'null'] },
    c: { anyOf: [{ enum: ['x', 'y'] }, { type: 'null' }] },
    t: { anyOf: [{ $ref: '#/$defs/root' }, { type: 'null' }] },
  };
  const root = { type: 'object', properties, required: ['a', 'b', 'c', 't'], additionalProperties: false };
  expect(plain(view)).toEqual({
    isNameSafe: true,
    description: 'Does it.',
    inputSchema: { ...root, $defs: { root } },
    isStrict: true,
    report: ['/a: minLength moved into the description', '/$defs/root/a: minLength moved into the description'],
  });
  expect(view.toServerArguments({ a: 'aa', b: null, c: null, t: { a: 'bb', b: null, c: 'x', t: null } })).toEqual({
    a: 'aa',
    b: null,
    t: { a: 'bb', b: null, c: 'x' },
  });
});

test.each([
  [{ type: 'object', properties: {} }, 'the root is open to properties that it does not name'],
  [closed({ a: {} }), '/a does not say what it is'],
  [closed({ a: { type: 'array' } }), '/a does not say what its items are'],
  [closed({ a: { type: ['string', 'null'] } }), '/a is optional and may be null, which would look the same'],
  [closed({ a: { type: 'array', prefixItems: [] } }), '/a does not say what its items are'],
  [{ ...closed({}), oneOf: [closed({})] }, 'the root has anyOf'],
])('does not use strict mode where it would lose something: %j', (inputSchema, reason) => {
  const view = viewOf(inputSchema, 'openai-strict');
  expect([view.isStrict, view.report.at(0)]).toEqual([false, `not sent in strict mode: ${reason}`]);
});

test('says to Gemini in words what its subset cannot say', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      'file-name': { type: ['string', 'null'], format: 'uri', default: 'x' },
      level: { const: 3 },
      either: { type: ['string', 'number'], minLength: 1 },
      maybe: { description: 'M.', anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
      list: { type: 'array' },
      tree: { $ref: '#/$defs/tree' },
      never: false,
    },
    required: ['file-name', 'ghost'],
    $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } },
  };
  const view = viewOf(inputSchema, 'gemini');
  const name = toPropertyName('file-name', PROVIDER_RULES.gemini.propertyName);
  expect(name).toMatch(/^file_name_[\da-f]{8}$/);
  expect(view.inputSchema).toEqual({
    type: 'object',
    properties: {
      [name]: { type: 'string', nullable: true, description: 'Must meet {format: "uri"}. Default: "x".' },
      level: { type: 'number', description: 'Must meet {enum: [3]}.' },
      either: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }] },
      maybe: { type: 'integer', nullable: true, description: 'Must meet {exclusiveMinimum: 0}. M.' },
      list: { type: 'array', items: {} },
      tree: {
        type: 'object',
        properties: { next: { type: 'object', description: 'Has the same form as what it is part of.' } },
      },
      never: { description: 'Must not be given.' },
    },
    required: [name],
  });
  expect(view.description).toBe('Does it.\n\nMust meet {required: ["ghost"]}.');
  expect(view.toServerArguments({ [name]: 'a', level: 3 })).toEqual({ 'file-name': 'a', level: 3 });
  expect(view.report).toEqual([
    '/file-name: format moved into the description',
    '/level: enum moved into the description',
    '/maybe/anyOf/0: exclusiveMinimum moved into the description',
    '/tree/next: is recursive; its deeper levels are only described',
    '/never: is never allowed, which only its description says',
    'the root: required moved into the description',
  ]);
});

test.each(PROVIDERS)('shows any object for a schema that cannot be used: %s', (provider) => {
  const view = viewOf({ type: 'object', $ref: 'https://example.com/a' }, provider);
  expect([view.inputSchema, view.isStrict, view.report]).toEqual([
    { type: 'object', properties: {} },
    false,
    ['the schema cannot be used; any object is accepted instead'],
  ]);
});

describe('arguments that are valid for the server can be said through every view, and come back equal', () => {
  test.each(PROVIDERS)('%s', (provider) => {
    fc.assert(
      fc.property(shapeWithValue(), ({ schema, value }) => {
        const original = compileSchema(schema);
        expect(original.kind === 'usable' && original.check(value)).toEqual({ valid: true });
        const view = viewOf(schema, provider);
        const written = asWritten(value, schema, provider) as JsonObject;
        const shown = compileSchema(withNullable(view.inputSchema));
        expect(shown.kind === 'usable' && shown.check(written)).toEqual({ valid: true });
        expect(view.toServerArguments(written)).toEqual(value);
      }),
    );
  });
});

interface Shape {
  readonly schema: JsonObject;
  readonly value: unknown;
}

/** Schemas of closed objects, with a value that fits. */
function shapeWithValue(): fc.Arbitrary<Shape & { readonly value: JsonObject }> {
  const { object } = fc.letrec<{ object: Shape; any: Shape }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string().map((value) => ({ schema: { type: 'string', minLength: 0 }, value })),
      fc.integer().map((value) => ({ schema: { type: 'integer', exclusiveMinimum: -1e10 }, value })),
      fc.constantFrom('a', 'b').map((value) => ({ schema: { enum: ['a', 'b'] }, value })),
      fc.constantFrom(1, 2).map((value) => ({ schema: { type: 'number', enum: [1, 2] }, value })),
      fc.constant({ schema: { const: true }, value: true }),
      tie('any').map(({ schema, value }) => ({ schema: { type: 'array', items: schema }, value: [value, value] })),
      tie('object'),
      tie('object').map(({ schema, value }) => ({ schema: { oneOf: [{ type: 'boolean' }, schema] }, value })),
      tie('object').map(({ schema, value }) => ({ schema: { allOf: [schema] }, value })),
    ),
    object: fc
      .dictionary(
        fc.constantFrom('a', 'b-c', '1', 'd.e', '__proto__', 'toString'),
        fc.record({ shape: tie('any'), state: fc.constantFrom('required', 'given', 'absent') }),
        { maxKeys: 4 },
      )
      .map((fields) => {
        const entries = Object.entries(fields);
        return {
          schema: {
            type: 'object',
            properties: Object.fromEntries(entries.map(([name, { shape }]) => [name, shape.schema])),
            required: entries.filter(([, { state }]) => state === 'required').map(([name]) => name),
            additionalProperties: false,
          },
          value: Object.fromEntries(
            entries.filter(([, { state }]) => state !== 'absent').map(([name, { shape }]) => [name, shape.value]),
          ),
        };
      }),
  }));
  return object as fc.Arbitrary<Shape & { readonly value: JsonObject }>;
}

/** What a model would write for a view when it means this value. */
function asWritten(value: unknown, schema: JsonObject, provider: Provider): unknown {
  const { items, oneOf, allOf, properties } = schema;
  if (Array.isArray(oneOf)) return asWritten(value, oneOf[1], provider);
  if (Array.isArray(allOf)) return asWritten(value, allOf[0], provider);
  if (Array.isArray(value)) return value.map((item) => asWritten(item, items as JsonObject, provider));
  if (typeof value !== 'object' || value === null) return value;
  const isStrict = provider === 'openai-strict';
  const entries = Object.entries(properties as Record<string, JsonObject>).flatMap(([name, child]) => {
    const key = toPropertyName(name, PROVIDER_RULES[provider].propertyName);
    if (Object.hasOwn(value, name)) return [[key, asWritten((value as JsonObject)[name], child, provider)]];
    return isStrict ? [[key, null]] : [];
  });
  return Object.fromEntries(entries);
}

/** Gemini's mark, said as JSON Schema would. */
function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, item]) => [key, withNullable(item)]));
  return inside['nullable'] === true ? { anyOf: [inside, { type: 'null' }] } : inside;
}

function viewOf(inputSchema: JsonObject, provider: Provider): ProviderView {
  return providerView({ name: 'do_it', description: 'Does it.', inputSchema }, provider);
}

function plain(view: ProviderView): Omit<ProviderView, 'toServerArguments'> {
  const { isNameSafe, description, inputSchema, isStrict, report } = view;
  return { isNameSafe, description, inputSchema, isStrict, report };
}

function closed(properties: JsonObject): JsonObject {
  return { type: 'object', properties, additionalProperties: false };
}
