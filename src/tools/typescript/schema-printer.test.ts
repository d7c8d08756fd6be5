import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaOfDepth } from '../../../test/fixtures/random-schema.ts';
import { parseModule } from '../../../test/syntax-tree.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { printSchema } from './schema-printer.ts';
import { TypeNames } from './type-names.ts';

/** What it shows, a schema, and its line. */
type Row = [string, unknown, string];

describe('a property is printed', () => {
  test.each<Row>([
    ['string', { type: 'string' }, 'p?: string;'],
    ['number', { type: 'number' }, 'p?: number;'],
    ['integer', { type: 'integer' }, 'p?: number;'],
    ['boolean', { type: 'boolean' }, 'p?: boolean;'],
    ['null', { type: 'null' }, 'p?: null;'],
    ['array', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'p?: string[][];'],
    ['optional', { type: ['string', 'null'] }, 'p?: string | null;'],
    [
      'nested object',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      'p?: {\n    a: string;\n  };',
    ],
  ])('[S1.types] as the table has it: %s', (_, property, line) => {
    expect(print({ properties: { p: property } })).toBe(propertyLine(line));
  });

  test.each<Row>([
    ['nullable', { type: 'string', nullable: true }, 'p?: string | null;'],
    ['enum', { type: 'string', enum: ['a', "it's", 1, null] }, String.raw`p?: 'a' | 'it\'s' | 1 | null;`],
    ['const', { const: { kind: 'x', list: [1, true] } }, "p?: { kind: 'x'; list: [1, true] };"],
    ['true', true, 'p?: unknown;'],
    ['false', false, 'p?: never;'],
    ['nothing known', { description: '' }, 'p?: unknown;'],
    ['not anything', { not: {} }, 'p?: never;'],
    ['an unknown word as type', { type: 'text' }, 'p?: unknown;'],
    ['no schema', 7, 'p?: unknown;'],
    ['array of unknown', { type: 'array' }, 'p?: unknown[];'],
    ['array of choices', { type: 'array', items: { enum: ['a', 'b'] } }, "p?: ('a' | 'b')[];"],
    ['array by its items', { items: { type: 'string' } }, 'p?: string[];'],
    [
      'tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: ['number', 'null'] }], minItems: 1, items: false },
      'p?: [string, (number | null)?];',
    ],
    ['open tuple', { prefixItems: [{ type: 'string' }], minItems: 1 }, 'p?: [string, ...unknown[]];'],
    [
      'tuple of draft 7',
      { type: 'array', items: [{ type: 'string' }], minItems: 1, additionalItems: { type: 'number' } },
      'p?: [string, ...number[]];',
    ],
    ['record', { type: 'object', additionalProperties: { type: 'number' } }, 'p?: { [key: string]: number };'],
    ['open object', { type: 'object' }, 'p?: { [key: string]: unknown };'],
    ['closed object', { type: 'object', additionalProperties: false }, 'p?: { [key: string]: never };'],
    [
      'record by patterns',
      { patternProperties: { '^a': { type: 'number' }, '^b': { type: 'string' } }, additionalProperties: false },
      'p?: { [key: string]: number | string };',
    ],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'p?: string | null;'],
    ['oneOf', { oneOf: [{ const: 'a' }, { type: 'integer' }, false] }, "p?: 'a' | number;"],
    ['anyOf with an open end', { anyOf: [{ type: 'string' }, {}] }, 'p?: unknown;'],
    ['a reference to nothing', { $ref: '#/$defs/nope' }, 'p?: unknown;'],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }, 'p?: unknown;'],
  ])('%s', (_, property, line) => {
    expect(print({ properties: { p: property } })).toBe(propertyLine(line));
  });
});

test('a description becomes a comment that it cannot end', () => {
  const properties = {
    a: { type: 'string', description: 'Ends */ here.\u200B' },
    b: { type: 'string', description: 'Two\r\n\r\nlines.', deprecated: true },
  };
  expect(print({ description: 'A thing.', properties, required: ['a'] })).toBe(
    String.raw`/** A thing. */
export interface Thing {
  /** Ends *\/ here. */
  a: string;
  /**
   * Two
   *
   * lines.
   * @deprecated
   */
  b?: string;
}`,
  );
});

test('a name that is no identifier is quoted, and what nobody sees is spelled out', () => {
  const properties = { 'a-b': true, "it's": true, 'x\u202Ey': true, new: true, '1': true, '"\n\\': true };
  expect(print({ properties, required: Object.keys(properties) }).split('\n')).toEqual([
    'export interface Thing {',
    "  '1': unknown;",
    "  'a-b': unknown;",
    String.raw`  'it\'s': unknown;`,
    String.raw`  'x\u202ey': unknown;`,
    '  new: unknown;',
    String.raw`  '"\n\\': unknown;`,
    '}',
  ]);
});

test('an index signature allows what the properties have', () => {
  const properties = { a: { type: 'string' }, b: { type: 'boolean' } };
  expect(print({ properties, required: ['a'], additionalProperties: { type: 'number' } })).toBe(
    'export interface Thing {\n  a: string;\n  b?: boolean;\n  [key: string]: number | string | boolean | undefined;\n}',
  );
});

test('properties beside choices are an intersection', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  expect(print(schema)).toBe(
    `export type Thing = {
  a?: string;
  b?: string;
} & (
  | {
      a: unknown;
    }
  | {
      b: unknown;
    }
);`,
  );
});

test('that it is an object is not said twice', () => {
  expect(print({ type: 'object', allOf: [{ properties: { a: { type: 'string' } } }] })).toBe(
    'export interface Thing {\n  a?: string;\n}',
  );
});

test('what is referred to has a name of its own, and may refer to itself', () => {
  const $defs = {
    'tree-node': { properties: { children: { type: 'array', items: { $ref: '#/$defs/tree-node' } } } },
    colour: { enum: ['red', 'blue'] },
  };
  const properties = {
    tree: { $ref: '#/$defs/tree-node' },
    colour: { $ref: '#/$defs/colour' },
    more: { type: 'array', items: { $ref: '#' } },
    same: { $ref: '#/properties/colour' },
  };
  expect(print({ $defs, properties, required: ['tree', 'colour'] })).toBe(
    `export interface Thing {
  tree: ThingTreeNode;
  colour: ThingColour;
  more?: Thing[];
  same?: ThingColour2;
}

export interface ThingTreeNode {
  children?: ThingTreeNode[];
}

export type ThingColour = 'red' | 'blue';

export type ThingColour2 = ThingColour;`,
  );
});

test('references that lead nowhere but back are unknown, because an alias of itself does not compile', () => {
  const $defs = {
    a: { $ref: '#/$defs/b' },
    b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] },
    c: { allOf: [{ $ref: '#/$defs/c' }, { properties: { again: { $ref: '#/$defs/c' } } }] },
  };
  expect(print({ $defs, properties: { a: { $ref: '#/$defs/a' }, c: { $ref: '#/$defs/c' } } })).toBe(
    `export interface Thing {
  a?: ThingA;
  c?: ThingC;
}

export type ThingA = unknown;

export interface ThingC {
  again?: ThingC;
}`,
  );
});

describe('what is too big ends as unknown', () => {
  test('a deep schema', () => {
    let schema: JsonObject = { type: 'string' };
    for (let depth = 0; depth < 2000; depth += 1) schema = { properties: { a: schema } };
    expect(print(schema)).toMatch(/^export interface Thing \{\s+(?:a\?: \{\s+){24}a\?: unknown;/);
  });

  test('a long enum', () => {
    expect(print({ enum: Array.from({ length: 5000 }, (_, index) => `value ${index}`) })).toBe(
      'export type Thing = string;',
    );
  });

  test('definitions that double at each step are printed once each', () => {
    const link = (index: number): JsonObject => ({ $ref: `#/$defs/d${index + 1}` });
    const steps = Array.from({ length: 60 }, (_, index) => [
      `d${index}`,
      { properties: { left: link(index), right: link(index) } },
    ]);
    expect(print({ $defs: Object.fromEntries(steps), properties: { a: { $ref: '#/$defs/d0' } } }).length).toBeLessThan(
      8000,
    );
  });

  test('thousands of references among each other', () => {
    const all = Array.from({ length: 300 }, (_, index) => ({ $ref: `#/$defs/d${index}` }));
    const $defs = Object.fromEntries(all.map((_, index) => [`d${index}`, { anyOf: all }]));
    expect(print({ $defs, properties: { a: { $ref: '#/$defs/d0' } } }).length).toBeLessThan(100_000);
  });
});

test('whatever the schema is, the text parses and is the same each time', () => {
  fc.assert(
    fc.property(schemaOfDepth(3), (schema) => {
      const text = print(schema);
      parseModule(text);
      expect(print(schema)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

function propertyLine(line: string): string {
  return `export interface Thing {\n  ${line}\n}`;
}

function print(schema: JsonObject): string {
  const names = new TypeNames();
  names.take('Thing');
  return printSchema(schema, { name: 'Thing', names }).join('\n\n');
}
