import { expect, test } from 'vitest';
import { parameterText } from './parameter-text.ts';

test('reads parameters inside objects, lists and alternatives', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where to look' },
      filters: { type: 'array', items: { properties: { glob: { description: 'A pattern' } } } },
      target: { anyOf: [{ properties: { url: {} } }, { type: 'null' }] },
    },
  };
  expect(parameterText(schema)).toEqual({
    names: 'path\nfilters\nglob\ntarget\nurl',
    descriptions: 'Where to look\nA pattern',
  });
});

test('survives what is no schema', () => {
  const odd = { properties: { a: null, b: 'text', c: { description: 7 } }, items: [], anyOf: 'x' };
  expect(parameterText(odd)).toEqual({ names: 'a\nb\nc', descriptions: '' });
});

test('ends in a schema that contains itself', () => {
  const schema: Record<string, unknown> = {};
  schema['properties'] = { again: schema, more: schema };
  expect(parameterText(schema).names.split('\n').length).toBeLessThanOrEqual(500);
});
