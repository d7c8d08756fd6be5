import { expect, test } from 'vitest';
import { createToolSchemas } from './tool-schemas.ts';

const SCHEMA = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const;
const UNUSABLE = { type: 'object', $ref: 'https://example.com/schema.json' } as const;

test('[S1.fail-invalid] judges arguments by the schema of the server', () => {
  const schemas = createToolSchemas();
  expect(schemas.validateArguments({ inputSchema: SCHEMA }, { count: 1 })).toEqual({ valid: true });
  expect(schemas.validateArguments({ inputSchema: SCHEMA }, { count: 'one' })).toEqual({
    valid: false,
    problems: [{ path: ['count'], keyword: 'type', message: 'expected an integer, got the string "one"' }],
    more: 0,
  });
});

test('judges a structured result by what the tool promised, and anything if it promised nothing', () => {
  const schemas = createToolSchemas();
  expect(schemas.validateOutput({ outputSchema: SCHEMA }, { count: 'one' }).valid).toBe(false);
  expect(schemas.validateOutput({ outputSchema: SCHEMA }, { count: 1 }).valid).toBe(true);
  expect(schemas.validateOutput({}, 'anything').valid).toBe(true);
  expect(schemas.output({})).toBeUndefined();
});

test('accepts any object for a schema that cannot be used, and says so', () => {
  const schemas = createToolSchemas();
  const spec = { inputSchema: UNUSABLE, outputSchema: UNUSABLE };
  expect([schemas.validateArguments(spec, { a: 1 }).valid, schemas.validateArguments(spec, 'a').valid]).toEqual([true, false]);
  expect(schemas.validateOutput(spec, 1).valid).toBe(true);
  const reason = 'cannot be used: $ref "https://example.com/schema.json" leads out of the schema, and nothing is fetched';
  expect(schemas.report(spec)).toEqual([
    `inputSchema ${reason}; any object is accepted instead`,
    `outputSchema ${reason}; results are not checked`,
  ]);
});

test('reports what is not enforced', () => {
  expect(createToolSchemas().report({ inputSchema: { type: 'object', minProperties: 'one' } })).toEqual([
    'inputSchema: /minProperties is not a whole number; it is not enforced',
  ]);
});

test('compiles a schema once, whoever brings it', () => {
  const schemas = createToolSchemas();
  const first = schemas.input({ inputSchema: SCHEMA });
  expect(schemas.input({ inputSchema: SCHEMA })).toBe(first);
  const { required, properties, type } = structuredClone(SCHEMA);
  expect(schemas.input({ inputSchema: { required, type, properties } })).toBe(first);
});

test('keeps only so many schemas by content, those last used', () => {
  const schemas = createToolSchemas({ maxKept: 2 });
  const ask = (maximum: number): unknown => schemas.input({ inputSchema: { maximum } });
  const [first, second] = [ask(1), ask(2)];
  expect(ask(1)).toBe(first);
  ask(3);
  expect(ask(1)).toBe(first);
  expect(ask(2)).not.toBe(second);
});
