import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

const matches = (glob: string, text: string): boolean => compileGlob(glob.split('*'))(text);

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-b-b-c', true],
  ['*b*', 'abc', true],
  ['a*bc*bc', 'abc', false],
  ['*ab*ab*', 'xaby', false],
  ['*b*a*', 'ab', false],
  ['a**b', 'a\nb', true],
  ['*.ts', 'x.ts.js', false],
])('%j on %j is %j', (glob, text, expected) => {
  expect(matches(glob, text)).toBe(expected);
});

test('is what a regular expression would say', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(letters, text, (glob, subject) => {
      const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`, 's').test(subject);
      expect(matches(glob, subject)).toBe(expected);
    }),
  );
});

test('a pattern that would explode a regular expression is answered', () => {
  expect(matches('*a'.repeat(200).concat('*b'), 'a'.repeat(100_000))).toBe(false);
});
