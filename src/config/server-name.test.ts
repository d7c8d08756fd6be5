import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isServerName, requireServerName, slugServerName, slugServerNames } from './server-name.ts';

test('[S0.name] accepts what the pattern accepts', () => {
  expect(['a', '0', 'git', 'my_server-2', 'x'.repeat(64)].filter(isServerName)).toHaveLength(5);
  expect(['', '-a', '_a', 'A', 'a b', 'a.b', 'x'.repeat(65), 'a\n', 7, undefined].filter(isServerName)).toEqual([]);
});

test('[S0.name] the error shows the name and the pattern, whatever the name is', () => {
  expect(() => requireServerName('Git!')).toThrow("Invalid MCP server name 'Git!'. Must match pattern: ^[a-z0-9]");
  expect(() => requireServerName(7)).toThrow("Invalid MCP server name '7'.");
});

test('slugs keep what can be kept of a name', () => {
  expect(['My Server', 'GitHub', 'café crème', '__x__', '日本', '', 'a/b.c'].map(slugServerName)).toEqual([
    'my-server',
    'github',
    'cafe-creme',
    'x__',
    'server',
    'server',
    'a-b-c',
  ]);
});

test('a slug is always a valid name, and a valid name stays as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (original) => isServerName(slugServerName(original))));
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/), (name) => slugServerName(name) === name),
  );
});

test('valid names stay, the others are numbered where they would collide', () => {
  const long = 'x'.repeat(64);
  expect(slugServerNames(['My Server', 'my-server', 'MY SERVER', `${long}!`, long])).toEqual(
    new Map([
      ['my-server', 'my-server'],
      [long, long],
      ['My Server', 'my-server-2'],
      ['MY SERVER', 'my-server-3'],
      [`${long}!`, `${'x'.repeat(62)}-2`],
    ]),
  );
});

test('every name gets a valid slug that no other name has', () => {
  const names = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('a b', 'A B', 'a-b', 'a-b-2', 'A.B')));
  fc.assert(
    fc.property(names, (originals) => {
      const slugs = [...slugServerNames(originals).values()];
      expect(slugs.every(isServerName)).toBe(true);
      expect(new Set(slugs).size).toBe(originals.length);
    }),
  );
});
