import { expect, test } from 'vitest';
import { readPointer } from './json-pointer.ts';

const ROOT = { a: [1, { 'b/c': 2, 'd~e': 3 }], '': 4 };

test.for([
  ['', ROOT],
  ['/a/0', 1],
  ['/a/1/b~1c', 2],
  ['/a/1/d~0e', 3],
  ['/', 4],
] as const)("'%s'", ([pointer, value]) => {
  expect(readPointer(ROOT, pointer)).toEqual(value);
});

test.for([
  ['a', "a JSON Pointer begins with '/', not 'a'"],
  ['/a/5/x', 'there is nothing at /a/5'],
  ['/toString', 'there is nothing at /toString'],
] as const)("'%s' is refused", ([pointer, message]) => {
  expect(() => readPointer(ROOT, pointer)).toThrow(message);
});
