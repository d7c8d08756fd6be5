import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonDocument } from './json-document.ts';

const parse = (text: string) => parseJsonDocument(text, 'a.json');

test('any JSON comes out as it was written', () => {
  const hasProto = (value: unknown) => JSON.stringify(value).includes('"__proto__"');
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5 }).filter((value) => !hasProto(value)),
      (value) => {
        expect(parse(JSON.stringify(value, null, 1)).value).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
  );
});

test('comments, trailing commas and a byte order mark are no mistakes', () => {
  const text = '\uFEFF{\n  // why\n  "a": [1, 2,], /* b */\n}';
  expect(parse(text)).toMatchObject({ value: { a: [1, 2] }, problems: [] });
});

test('knows where keys and values stand', () => {
  const document = parse('{\n  "a": { "b": [1, "x"] },\n  "c": 2\n}');
  expect([
    document.locate(['a', 'b', 1], 'value'),
    document.locate(['a', 'b'], 'key'),
    document.locate(['c'], 'value'),
    document.locate(['a', 'nothing', 'there'], 'value'),
    document.locate([], 'value'),
  ]).toEqual([
    { line: 2, column: 19 },
    { line: 2, column: 10 },
    { line: 3, column: 8 },
    { line: 2, column: 8 },
    { line: 1, column: 1 },
  ]);
});

test.each([
  ['{\n  "a" 1\n}', 2, 7, 'invalid JSON (colon expected)'],
  ['{"a": 1} x', 1, 10, 'invalid JSON (invalid symbol)'],
  ['', 1, 1, 'invalid JSON (value expected)'],
  ['{"a": 1,\n "a": 2}', 2, 2, 'a key that was given before'],
  ['{"__proto__": {}}', 1, 2, 'the key "__proto__"'],
])('%j is refused at %i:%i', (text, line, column, found) => {
  expect(parse(text).value).toBeUndefined();
  expect(parse(text).problems[0]).toMatchObject({ file: 'a.json', line, column, found });
});

test('endless nesting is refused, brackets in text are not nesting', () => {
  expect(parse('['.repeat(100_000)).problems).toEqual([
    expect.objectContaining({ line: 1, column: 101, found: 'values nested too deeply' }),
  ]);
  expect(parse(JSON.stringify('['.repeat(1_000))).problems).toEqual([]);
});
