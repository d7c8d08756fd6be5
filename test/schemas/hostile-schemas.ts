/** A schema that has broken somebody, what it must accept and refuse, and what must be said about it. */
interface Family {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** What the tool's report says, as far as the schema itself is concerned. */
  readonly report?: readonly string[];
}

const object = (rest: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  type: 'object',
  ...rest,
});
const property = (schema: unknown): unknown => object({ properties: { a: schema } });
const nestedTo = (levels: number): unknown =>
  levels === 0 ? { const: 1 } : { properties: { n: nestedTo(levels - 1) } };
const valueTo = (levels: number, leaf: unknown): unknown => (levels === 0 ? leaf : { n: valueTo(levels - 1, leaf) });
const outside = (reference: string): string =>
  `inputSchema cannot be used: $ref "${reference}" leads out of the schema, and nothing is fetched; any object is accepted instead`;
const protoNames = JSON.parse(
  '{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{"type":"null"}}',
);

function chained(
  count: number,
  level: (next: Readonly<Record<string, unknown>>) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Array.from({ length: count }, (_, index) => [`d${index}`, level({ $ref: `#/$defs/d${index + 1}` })]);
  return { ...Object.fromEntries(entries), [`d${count}`]: {} };
}

/** The schemas that have broken libraries of this field. */
export const FAMILIES: readonly Family[] = [
  {
    name: 'a schema that contains itself',
    inputSchema: object({ properties: { child: { $ref: '#' }, n: { type: 'integer' } }, additionalProperties: false }),
    accepts: [{ child: { child: { n: 1 } } }],
    refuses: [{ child: { child: { n: 'x' } } }, { child: { other: 1 } }],
  },
  {
    name: 'a schema that is only itself',
    inputSchema: object({ $ref: '#' }),
    accepts: [{}, { any: 1 }],
    refuses: ['text'],
    report: ['inputSchema cannot be used: it refers to itself without end; any object is accepted instead'],
  },
  {
    name: '10,000 properties',
    inputSchema: object({
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'number' }])),
      additionalProperties: false,
    }),
    accepts: [{ p9999: 1 }],
    refuses: [{ p9999: '1' }, { p10000: 1 }],
  },
  {
    name: 'depth 90',
    inputSchema: object({ properties: { n: nestedTo(43) } }),
    accepts: [{ n: valueTo(43, 1) }],
    refuses: [{ n: valueTo(43, 2) }],
  },
  {
    name: 'a pattern that explodes',
    inputSchema: property({ type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', maxLength: 60 }),
    accepts: [{ a: 'a'.repeat(60) }],
    refuses: [{ a: 'a'.repeat(61) }, { a: 1 }],
    report: ['inputSchema: /properties/a/pattern could take too long to match; it is not enforced'],
  },
  {
    name: 'a property pattern that explodes',
    inputSchema: object({
      patternProperties: { '^(x+)+$': { type: 'number' }, '^y': { type: 'null' } },
      additionalProperties: false,
    }),
    accepts: [{ [`${'x'.repeat(40)}!`]: 1 }, { y: null }],
    refuses: [{ y: 1 }],
    report: ['inputSchema: /patternProperties has "^(x+)+$", which could take too long to match; it is not enforced'],
  },
  {
    name: 'references that double at every level',
    inputSchema: object({
      properties: { a: { $ref: '#/$defs/d0' } },
      additionalProperties: false,
      $defs: chained(40, (next) => object({ properties: { x: next, y: next }, additionalProperties: false })),
    }),
    accepts: [{ a: { x: { y: {} } } }],
    refuses: [{ a: { x: { z: 1 } } }],
  },
  {
    name: 'a chain of 9,000 references',
    inputSchema: object({ properties: { a: { $ref: '#/$defs/d0' } }, $defs: chained(9000, (next) => next) }),
    accepts: [{ a: 1 }],
    refuses: [1],
    report: ['inputSchema cannot be used: its references lead too deep; any object is accepted instead'],
  },
  {
    name: '1,000 forms at the root',
    inputSchema: object({
      oneOf: Array.from({ length: 1000 }, (_, kind) => ({ properties: { kind: { const: kind } }, required: ['kind'] })),
    }),
    accepts: [{ kind: 999 }],
    refuses: [{ kind: 1000 }, {}],
  },
  {
    name: '$ref to the network',
    inputSchema: property({ $ref: 'http://example.com/schema.json' }),
    accepts: [{ a: 1 }],
    refuses: [[]],
    report: [outside('http://example.com/schema.json')],
  },
  {
    name: '$ref to a file',
    inputSchema: property({ $ref: 'file:///etc/passwd' }),
    accepts: [{}],
    refuses: [null],
    report: [outside('file:///etc/passwd')],
  },
  {
    name: 'names that every object has',
    inputSchema: object({ properties: protoNames, required: ['constructor'], additionalProperties: false }),
    accepts: [JSON.parse('{"constructor":1,"__proto__":"a"}')],
    refuses: [{}, { constructor: 'x' }, JSON.parse('{"constructor":1,"__proto__":2}'), { constructor: 1, valueOf: 1 }],
  },
  {
    name: 'type arrays',
    inputSchema: property({ type: ['string', 'null'] }),
    accepts: [{ a: null }, { a: '' }],
    refuses: [{ a: 0 }],
  },
  {
    name: 'boolean schemas',
    inputSchema: object({ properties: { a: true, b: false } }),
    accepts: [{ a: [] }],
    refuses: [{ b: 1 }],
  },
  {
    name: 'numbers that JSON does not have',
    inputSchema: property({ type: 'number', minimum: -1e308, maximum: 1e308 }),
    accepts: [{ a: -0 }, { a: 5e-324 }],
    refuses: [{ a: Number.NaN }, { a: Infinity }],
  },
  {
    name: 'a huge enum',
    inputSchema: property({ enum: Array.from({ length: 50_000 }, (_, index) => `v${index}`) }),
    accepts: [{ a: 'v49999' }],
    refuses: [{ a: 'v50000' }],
  },
  {
    name: 'a dynamic reference to the outermost tree',
    inputSchema: {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      type: 'object',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    },
    accepts: [{ children: [{ data: 1 }] }],
    refuses: [{ children: [{ daat: 1 }] }],
  },
  {
    name: 'root oneOf',
    inputSchema: object({
      oneOf: [{ required: ['path'] }, { required: ['url'] }],
      properties: { path: { type: 'string' }, url: { type: 'string' } },
    }),
    accepts: [{ path: 'a' }, { url: 'b' }],
    refuses: [{}, { path: 'a', url: 'b' }],
  },
  {
    name: 'root anyOf',
    inputSchema: object({ anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }] }),
    accepts: [{ a: 'x' }, { b: 1 }],
    refuses: [{}, { a: 1 }],
  },
  {
    name: 'root allOf',
    inputSchema: object({ allOf: [{ properties: { a: { type: 'string' } } }, { required: ['a'] }] }),
    accepts: [{ a: 'x' }],
    refuses: [{}, { a: 1 }],
  },
  {
    name: 'root if and then',
    inputSchema: object({
      properties: { mode: { enum: ['r', 'w'] }, text: { type: 'string' } },
      if: { properties: { mode: { const: 'w' } }, required: ['mode'] },
      // oxlint-disable-next-line no-thenable -- the name of a keyword
      then: { required: ['text'] },
    }),
    accepts: [{ mode: 'r' }, { mode: 'w', text: '' }, {}],
    refuses: [{ mode: 'w' }],
  },
  {
    name: 'prefixItems',
    inputSchema: property({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }),
    accepts: [{ a: ['x', 1] }, { a: [] }],
    refuses: [{ a: [1] }, { a: ['x', 1, 2] }],
  },
  {
    name: 'a closed root beside oneOf, with the properties in the root',
    inputSchema: object({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      additionalProperties: false,
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    }),
    accepts: [{ a: '' }, { b: '' }],
    refuses: [{}, { a: '', b: '' }, { a: '', c: '' }],
  },
  {
    name: 'format uri',
    inputSchema: property({ type: 'string', format: 'uri' }),
    accepts: [{ a: 'no uri' }],
    refuses: [{ a: 1 }],
  },
  {
    name: 'exclusiveMinimum',
    inputSchema: property({ exclusiveMinimum: 0 }),
    accepts: [{ a: 0.1 }],
    refuses: [{ a: 0 }],
  },
  {
    name: 'a union of constants',
    inputSchema: property({ anyOf: [{ const: 'x' }, { const: 'y' }] }),
    accepts: [{ a: 'x' }, { a: 'y' }],
    refuses: [{ a: 'z' }],
  },
  {
    name: 'anyOf with null',
    inputSchema: property({ anyOf: [{ type: 'integer' }, { type: 'null' }] }),
    accepts: [{ a: null }, { a: 1 }],
    refuses: [{ a: 'x' }],
  },
  {
    name: 'keywords of the wrong kind',
    inputSchema: object({
      required: true,
      properties: { a: { type: 'text', maxLength: -1, enum: 'x' }, b: 7 },
      minProperties: 1,
    }),
    accepts: [{ a: 1, b: 1 }],
    refuses: [{}],
    report: [
      'inputSchema: /required is not a list of names; it is not enforced',
      'inputSchema: /properties/a/type names no known type; it is not enforced',
      'inputSchema: /properties/a/enum is not a list; it is not enforced',
      'inputSchema: /properties/a/maxLength is not a whole number; it is not enforced',
      'inputSchema: /properties/b is not a schema; it is not enforced',
    ],
  },
  {
    name: 'records and open objects',
    inputSchema: property({ type: 'object', additionalProperties: { type: 'number' } }),
    accepts: [{ a: { x: 1 } }, { a: {} }],
    refuses: [{ a: { x: '1' } }],
  },
  {
    name: 'unevaluatedProperties over allOf',
    inputSchema: object({ allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false }),
    accepts: [{ a: 1, b: 1 }],
    refuses: [{ c: 1 }],
  },
  {
    name: 'not and dependent keywords',
    inputSchema: object({
      not: { required: ['a', 'b'] },
      dependentRequired: { c: ['d'] },
      propertyNames: { pattern: '^[a-d]$' },
    }),
    accepts: [{ a: 1 }, { c: 1, d: 1 }],
    refuses: [{ a: 1, b: 1 }, { c: 1 }, { e: 1 }],
  },
  {
    name: 'contains and uniqueItems',
    inputSchema: property({ type: 'array', contains: { const: 1 }, uniqueItems: true, minItems: 1 }),
    accepts: [{ a: [1, 2] }],
    refuses: [{ a: [2] }, { a: [1, 1] }, { a: [] }],
  },
  {
    name: 'draft 7 with definitions',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ definitions: { t: { type: 'string' } }, properties: { a: { $ref: '#/definitions/t' } } }),
    },
    accepts: [{ a: '' }],
    refuses: [{ a: 1 }],
  },
  {
    name: 'no schema at all',
    inputSchema: undefined,
    accepts: [{ any: 1 }],
    refuses: ['x'],
    report: ['inputSchema is missing, not an object schema; any object is accepted instead'],
  },
  {
    name: 'an empty schema',
    inputSchema: {},
    accepts: [{ a: 1 }],
    refuses: [],
  },
];
