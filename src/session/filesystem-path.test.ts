import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { McpError } from '../errors.ts';
import { parseFilesystemPath } from './filesystem-path.ts';

test.each([
  ['.', '.'],
  ['', '.'],
  ['a', 'a'],
  ['./a//b/', 'a/b'],
  ['a/../b', 'b'],
  ['a/..', '.'],
  ['..a/b..', '..a/b..'],
])('%j is %j', (path, parsed) => {
  expect(parseFilesystemPath(path)).toBe(parsed);
});

test.each(['..', '../a', 'a/../../b', '/', '/etc/passwd', 'a\0b'])('%j is refused', (path) => {
  expect(() => parseFilesystemPath(path)).toThrow(McpError);
});

test('what is accepted is one spelling, and never leads out', () => {
  const part = constantFrom('..', '.', '', 'a', 'b');
  assert(
    property(array(part, { maxLength: 8 }), string(), (parts, name) => {
      let parsed: string;
      try {
        parsed = parseFilesystemPath([...parts, name].join('/'));
      } catch (error) {
        expect(error).toBeInstanceOf(McpError);
        return;
      }
      expect(parseFilesystemPath(parsed)).toBe(parsed);
      expect(parsed.split('/').filter((each) => each === '..' || each === '')).toEqual([]);
    }),
  );
});
