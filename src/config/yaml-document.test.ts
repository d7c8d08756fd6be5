import fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { parseYamlDocument } from './yaml-document.ts';

const parse = (text: string) => parseYamlDocument(text, 'a.yaml');
const problemsOf = (text: string) => parse(text).problems;

test('gives plain data', () => {
  expect(parse('a: 1\nb: [x, true, null, yes, 0o7]\nc: { d: "e" }\n').value).toEqual({
    a: 1,
    b: ['x', true, null, 'yes', 7],
    c: { d: 'e' },
  });
});

test('any JSON-like value comes out as it was written', () => {
  const key = fc.string().filter((text) => text !== '__proto__');
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(key, tie('node'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).node;
  fc.assert(
    fc.property(value, (data) => {
      expect(parse(stringify(data, { aliasDuplicateObjects: false })).value).toEqual(data);
    }),
  );
});

test('knows where keys and values stand', () => {
  const document = parse('servers:\n  a:\n    args: [x, "y"]\n  b: 1\n');
  expect([
    document.locate(['servers', 'a'], 'key'),
    document.locate(['servers', 'a', 'args', 1], 'value'),
    document.locate(['servers', 'b'], 'value'),
    document.locate(['servers', 'b'], 'key'),
    document.locate([], 'value'),
  ]).toEqual([
    { line: 2, column: 3 },
    { line: 3, column: 15 },
    { line: 4, column: 6 },
    { line: 4, column: 3 },
    { line: 1, column: 1 },
  ]);
});

test('for what is not there it gives the place around it', () => {
  const document = parse('servers:\n  a: { b: 1 }\n');
  expect(document.locate(['servers', 'a', 'command', 'x'], 'value')).toEqual({ line: 2, column: 6 });
  expect(parse('').locate(['version'], 'value')).toEqual({ line: 1, column: 1 });
});

test('follows an alias to where the value is written', () => {
  const document = parse('base: &base\n  command: node\na: *base\n');
  expect(document.value).toEqual({ base: { command: 'node' }, a: { command: 'node' } });
  expect(document.locate(['a', 'command'], 'value')).toEqual({ line: 2, column: 12 });
});

test('a key that stands twice is a mistake that hides no other', () => {
  const { problems, value } = parse('a: 1\na: 2\nb: 3\n');
  expect(problems).toEqual([
    { file: 'a.yaml', line: 2, column: 1, field: '', found: 'a key that was given before', expected: 'each key once' },
  ]);
  expect(value).toMatchObject({ b: 3 });
});

test('after the first thing that is no YAML nothing more is guessed, and unquoted references get a hint', () => {
  expect(problemsOf('a: { b: Bearer ${TOKEN} }\nc: ]\n')).toEqual([
    expect.objectContaining({ line: 1, expected: expect.stringContaining('quotes around text that holds ${…}') }),
  ]);
});

test.each([
  ['a: !secret x\n', 1, 4, 'a tag'],
  ['a: !!binary aGk=\n', 1, 4, 'a tag'],
  ['a: 1\n---\nb: 2\n', 2, 1, 'a second document'],
  ['? [a]\n: 1\n', 1, 3, 'a key that is no text'],
  ['a:\n  - *nothing\n', 2, 5, 'an alias of nothing'],
  ['a:\n  __proto__: {}\n', 2, 3, 'the key "__proto__"'],
  ['a: [1, 2\nb: 3\n', 2, 1, 'invalid YAML'],
  ['a: "x\n', 2, 1, 'invalid YAML'],
])('%j is refused at %i:%i', (text, line, column, found) => {
  const [problem] = problemsOf(text);
  expect(problem).toEqual({
    file: 'a.yaml',
    line,
    column,
    field: '',
    found: expect.stringContaining(found),
    expected: expect.any(String),
  });
  expect(parse(text).value).toBeUndefined();
});

test('merge keys are ordinary keys', () => {
  expect(parse('a: &a { x: 1 }\nb: { <<: *a }\n').value).toEqual({ a: { x: 1 }, b: { '<<': { x: 1 } } });
});

test('an alias bomb is refused', () => {
  const lines = ['a0: &a0 [x, x]'];
  for (let level = 1; level < 12; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  expect(problemsOf(lines.join('\n'))).toEqual([
    expect.objectContaining({ found: expect.stringContaining('aliases that cannot be followed') }),
  ]);
});

test('endless nesting is refused', () => {
  expect(problemsOf('['.repeat(20_000))).toEqual([expect.objectContaining({ found: 'values nested too deeply' })]);
});

test.each([
  'env:\n  TOKEN: "abc-canary"canary\n\tX: canary\n  canary: [canary\n',
  'a: b\n}canary',
  'a: |canary\n x',
  'a: "\\ucanary"',
  '%YAML canary\n---\na: 1',
  'a: !<canary> x',
  'a: !canary!x y',
  'canary: 1\ncanary: 2',
  'a: *canary',
])('the mistake in %j is told without quoting it', (text) => {
  expect(problemsOf(text).length).toBeGreaterThan(0);
  expect(JSON.stringify(problemsOf(text))).not.toContain('cana');
});
