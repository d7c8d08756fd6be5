import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTools } from './tool-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

const LIMIT = 512;
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

function parseOne(entry: unknown): ToolDefinition | undefined {
  return parseTools([entry], LIMIT).tools[0];
}

describe('parseTools', () => {
  test('reads a whole definition', () => {
    const annotations = {
      title: 'Reads',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const outputSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const entry = {
      name: 'read',
      title: 'Read',
      description: 'Reads a file',
      inputSchema: schema,
      outputSchema,
      annotations,
      _meta: {},
    };
    expect(parseTools([entry], LIMIT)).toEqual({
      tools: [
        {
          tool: 'read',
          title: 'Read',
          description: 'Reads a file',
          inputSchema: schema,
          outputSchema,
          annotations,
          schemaReport: [],
        },
      ],
      quarantined: [],
    });
  });

  test('fills in what a poor definition lacks', () => {
    expect(parseOne({ name: 'read', inputSchema: {} })).toEqual({
      tool: 'read',
      description: '',
      inputSchema: {},
      schemaReport: [],
    });
  });

  test('drops fields of the wrong kind, and hints that are no booleans', () => {
    const entry = {
      name: 'read',
      title: 3,
      description: null,
      inputSchema: schema,
      annotations: { readOnlyHint: 'yes', openWorldHint: true, title: 1 },
    };
    expect(parseOne(entry)).toEqual({
      tool: 'read',
      description: '',
      inputSchema: schema,
      annotations: { openWorldHint: true },
      schemaReport: [],
    });
  });

  test.each([undefined, null, 'hints', [], {}, { readOnlyHint: 1 }])('knows no annotations in %j', (annotations) => {
    expect(parseOne({ name: 'read', inputSchema: schema, annotations })).not.toHaveProperty('annotations');
  });

  test.each([
    [undefined, 'missing'],
    [null, 'null'],
    [[], 'an array'],
    ['object', 'a string'],
    [true, 'a boolean'],
    [{ type: 'string' }, 'of type "string"'],
    [{ type: ['object', 'null'] }, 'of no single type'],
  ])('accepts any object instead of the input schema %j, and reports it', (inputSchema, kind) => {
    const { inputSchema: used, schemaReport } = parseOne({ name: 'read', inputSchema }) ?? {};
    expect({ used, schemaReport }).toEqual({
      used: { type: 'object' },
      schemaReport: [`inputSchema is ${kind}, not an object schema; any object is accepted instead`],
    });
  });

  test('does without an output schema that is none, and reports it', () => {
    const tool = parseOne({ name: 'read', inputSchema: schema, outputSchema: 'text' });
    expect(tool).toEqual({
      tool: 'read',
      description: '',
      inputSchema: schema,
      schemaReport: ['outputSchema is a string, not a schema; results are not checked'],
    });
  });

  test('does without schemas that nest too deep to be walked, or contain themselves', () => {
    let deep: object = { type: 'string' };
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const entry = { name: 'read', inputSchema: { type: 'object', properties: { deep } }, outputSchema: circular };
    expect(parseOne(entry)).toEqual({
      tool: 'read',
      description: '',
      inputSchema: { type: 'object' },
      schemaReport: [
        'outputSchema nests deeper than 100 levels; results are not checked',
        'inputSchema nests deeper than 100 levels; any object is accepted instead',
      ],
    });
  });

  test('takes hidden characters out of everything that a model reads, and out of nothing that decides what is valid', () => {
    const entry = {
      name: 'read',
      title: 'Re\u200Bad',
      description: 'Reads\u{E0041}',
      annotations: { title: 'R\u202Eead' },
      inputSchema: {
        type: 'object',
        description: 'In\u200Bput',
        properties: {
          path: {
            title: 'P\u200Bath',
            description: 'Wh\u200Bere',
            enum: ['a\u200Bb'],
            anyOf: [{ description: 'x\u200By' }],
          },
          description: { type: 'string' },
        },
      },
      outputSchema: { description: 'Out\u200Bput' },
    };
    expect(parseOne(entry)).toEqual({
      tool: 'read',
      title: 'Read',
      description: 'Reads',
      annotations: { title: 'Read' },
      inputSchema: {
        type: 'object',
        description: 'Input',
        properties: {
          path: { title: 'Path', description: 'Where', enum: ['a\u200Bb'], anyOf: [{ description: 'xy' }] },
          description: { type: 'string' },
        },
      },
      outputSchema: { description: 'Output' },
      schemaReport: [],
    });
  });

  test.each([
    [{}, 'missing'],
    [{ name: 7 }, 'a number'],
    [{ name: 10n }, 'a bigint'],
    [{ name: null }, 'null'],
    [{ name: '' }, '""'],
    [{ name: '  \n' }, String.raw`"  \n"`],
    [{ name: 're\u200Bad' }, '"read" with hidden characters'],
    [{ name: 'x'.repeat(100_000) }, 'it has 100000 characters'],
    [null, 'missing'],
    ['read', 'missing'],
    [[], 'missing'],
  ])('quarantines an entry without a usable name, and only that (%#)', (entry, why) => {
    const parsed = parseTools(
      [{ name: 'first', inputSchema: schema }, entry, { name: 'last', inputSchema: schema }],
      LIMIT,
    );
    expect({ ...parsed, tools: parsed.tools.map(({ tool }) => tool) }).toEqual({
      tools: ['first', 'last'],
      quarantined: [{ tool: '#2', reason: `has no usable name: ${why}` }],
    });
  });

  test('keeps the first of two tools with one name', () => {
    const parsed = parseTools(
      [
        { name: 'read', description: 'one' },
        { name: 'read', description: 'two' },
      ],
      LIMIT,
    );
    expect(parsed.tools.map(({ description }) => description)).toEqual(['one']);
    expect(parsed.quarantined).toEqual([
      { tool: 'read', reason: 'the server lists this name twice; the first is kept' },
    ]);
  });

  test('offers no more tools than allowed, and names the others', () => {
    const parsed = parseTools([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 2);
    expect(parsed.tools.map(({ tool }) => tool)).toEqual(['a', 'b']);
    expect(parsed.quarantined).toEqual([{ tool: 'c', reason: 'the server lists more than 2 tools' }]);
  });

  test('names no more of the others than it may offer, and says how many there are', () => {
    const entries = Array.from({ length: 10 }, (_, index) => ({ name: `tool-${index}` }));
    expect(parseTools(entries, 2).quarantined).toEqual([
      { tool: 'tool-2', reason: 'the server lists more than 2 tools' },
      { tool: 'tool-3', reason: 'the server lists more than 2 tools' },
      { tool: '6 more', reason: 'the list of what is not offered ends here' },
    ]);
  });

  test('whatever a server lists, every entry is offered or quarantined, and no name is offered twice', () => {
    const entry = fc.oneof(
      fc.anything(),
      fc.record({ name: fc.constantFrom('a', 'b', 'c', '', 'x\u200B') }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const { tools, quarantined } = parseTools(entries, LIMIT);
        expect(tools.length + quarantined.length).toBe(entries.length);
        expect(new Set(tools.map(({ tool }) => tool)).size).toBe(tools.length);
      }),
    );
  });
});
