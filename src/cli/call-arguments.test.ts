import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAssignment, parseAssignments, parseJsonArguments, toArguments } from './call-arguments.ts';
import { UsageError } from './usage-error.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    list: { type: 'array' },
    map: { type: 'object' },
    maybe: { type: ['number', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    limit: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    level: { enum: [1, 2, 3] },
    colour: { enum: ['red', 'green'] },
    shared: { $ref: '#/$defs/amount' },
    looping: { $ref: '#/properties/looping' },
    unknown: {},
  },
  $defs: { amount: { type: 'number' } },
};

function convert(...words: readonly string[]): unknown {
  return toArguments(parseAssignments(words, 'call'), SCHEMA);
}

describe('key=value', () => {
  test.for([
    ['text=5', { text: '5' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=', { text: '' }],
    ['count=5', { count: 5 }],
    ['ratio=-0.5', { ratio: -0.5 }],
    ['ratio=2', { ratio: 2 }],
    ['deep=true', { deep: true }],
    ['list=[1,"a"]', { list: [1, 'a'] }],
    ['map={"a":1}', { map: { a: 1 } }],
    ['maybe=null', { maybe: null }],
    ['either=5', { either: '5' }],
    ['limit=5', { limit: 5 }],
    ['level=2', { level: 2 }],
    ['colour=red', { colour: 'red' }],
    ['shared=1.5', { shared: 1.5 }],
    ['looping=x', { looping: 'x' }],
    ['unknown=5', { unknown: '5' }],
    ['undeclared=true', { undeclared: 'true' }],
    ['toString=1', { toString: '1' }],
    ['text:=5', { text: 5 }],
    ['undeclared:={"a":[1]}', { undeclared: { a: [1] } }],
  ] as const)('%s', ([word, args]) => {
    expect(convert(word)).toEqual(args);
  });

  test('without a schema every value is text', () => {
    expect(toArguments(parseAssignments(['a=1', 'b=true'], 'call'))).toEqual({ a: '1', b: 'true' });
  });

  test('a key can be __proto__ without harm', () => {
    const args = convert('__proto__=x') as object;
    expect([Object.hasOwn(args, '__proto__'), Object.getPrototypeOf(args)]).toEqual([true, Object.prototype]);
  });

  test.for([
    ['count=x', "count must be integer by the tool's schema, not 'x'"],
    ['count=1.5', "count must be integer by the tool's schema, not '1.5'"],
    ['deep=yes', "deep must be boolean by the tool's schema, not 'yes'"],
    ['list={}', "list must be array by the tool's schema, not '{}'"],
    ['maybe=x', "maybe must be number or null by the tool's schema, not 'x'"],
    ['plain', "'plain' is not key=value"],
    ['=x', "'=x' is not key=value"],
    ['{"a":1}', `'{"a":1}' is not key=value; JSON is given with --args`],
  ] as const)('%s is refused', ([word, message]) => {
    expect(() => convert(word)).toThrow(new UsageError(message, 'call'));
  });

  test('JSON that is none says so', () => {
    expect(() => convert('map:=[1')).toThrow(/^map is not JSON: /);
  });

  test('a key given twice is refused', () => {
    expect(() => convert('text=a', 'text=b')).toThrow(new UsageError("'text' is given twice", 'call'));
  });

  test('any key and any text come back as they were written', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((key) => !key.includes('=') && !key.endsWith(':')),
        fc.string(),
        (key, value) => {
          expect(parseAssignment(`${key}=${value}`)).toEqual({ key, value, isJson: false });
          expect(parseAssignment(`${key}:=${value}`)).toEqual({ key, value, isJson: true });
        },
      ),
    );
  });

  test('any JSON value comes back through :=', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const word = `a:=${JSON.stringify(value)}`;
        expect(toArguments(parseAssignments([word], 'call'))).toEqual({ a: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });
});

describe('--args', () => {
  test('takes a JSON object', () => {
    expect(parseJsonArguments('{"a":1}', '--args')).toEqual({ a: 1 });
  });

  test.for([
    ['[1]', '--args must be a JSON object, not array'],
    ['null', '--args must be a JSON object, not null'],
    ['5', '--args must be a JSON object, not number'],
  ] as const)('%s is refused', ([text, message]) => {
    expect(() => parseJsonArguments(text, '--args')).toThrow(new UsageError(message, 'call'));
  });
});
