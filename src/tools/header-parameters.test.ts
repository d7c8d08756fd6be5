import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../call/tool-ref.ts';
import { headerParameters } from './header-parameters.ts';

const HEADER = 'x-mcp-header';
const mirrored = (name: unknown, type: unknown = 'string'): JsonObject => ({ type, [HEADER]: name });
const schemaOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('headerParameters', () => {
  test.each<[JsonObject, number]>([
    [{}, 0],
    [schemaOf({ a: { type: 'string' } }), 0],
    [schemaOf({ a: mirrored('Region'), b: mirrored('Size', 'integer'), c: mirrored('Dry', 'boolean') }), 3],
    [schemaOf({ outer: schemaOf({ inner: mirrored('Inner') }) }), 1],
    [
      schemaOf({ a: { type: 'object', default: mirrored('No') }, b: { const: mirrored('No'), enum: [mirrored(1)] } }),
      0,
    ],
    [schemaOf({ properties: mirrored('Odd') }), 1],
  ])('takes %j', (schema, count) => {
    expect(headerParameters(schema)).toEqual({ kind: 'valid', count });
  });

  test.each<[string, JsonObject]>([
    ['at the root', mirrored('Root')],
    ['in a list', schemaOf({ a: { type: 'array', items: mirrored('Item') } })],
    ['in a choice', schemaOf({ a: { anyOf: [mirrored('Choice')] } })],
    ['in a definition', { ...schemaOf({}), $defs: { a: mirrored('Shared') } }],
    ['on an object', schemaOf({ a: mirrored('Whole', 'object') })],
    ['on a number, which has many spellings', schemaOf({ a: mirrored('Number', 'number') })],
    ['on several types', schemaOf({ a: mirrored('Many', ['string', 'null']) })],
    ['without a type', schemaOf({ a: { [HEADER]: 'Typeless' } })],
    ['that is no text', schemaOf({ a: mirrored(5) })],
    ['that is empty', schemaOf({ a: mirrored('') })],
    ['twice, in another case', schemaOf({ a: mirrored('Same'), b: mirrored('SAME') })],
  ])('refuses a header %s', (_what, schema) => {
    expect(headerParameters(schema)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(HEADER) });
  });

  test('takes exactly the names that HTTP allows', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), (name) => {
        const isAllowed = canBeHeader(name);
        expect(headerParameters(schemaOf({ a: mirrored(name) })).kind).toBe(isAllowed ? 'valid' : 'invalid');
      }),
    );
  });

  test('never throws, whatever a server sends', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('properties', 'items', HEADER, 'type', 'a'), fc.jsonValue()),
        (schema) => {
          expect(['valid', 'invalid']).toContain(headerParameters(schema as JsonObject).kind);
        },
      ),
    );
  });
});

function canBeHeader(name: string): boolean {
  try {
    return new Headers([[name, 'x']]).has(name);
  } catch {
    return false;
  }
}
