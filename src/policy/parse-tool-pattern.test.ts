import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TEMPLATE, callOf } from '../../test/fixtures/policy-context.ts';
import { McpError } from '../errors.ts';
import { parseToolPattern } from './parse-tool-pattern.ts';
import { matchesCall } from './tool-pattern.ts';

test.each([
  ['', 1, 'the end, expected the name of a tool'],
  ['/run', 1, '"/", expected the name of a server before the /'],
  ['shell/', 7, 'the end, expected the name of a tool'],
  ['shell/(a=1)', 7, '"(", expected the name of a tool'],
  [' run', 1, '" ", expected a name without spaces around it'],
  ['run (a=1)', 4, '" ", expected a name without spaces around it'],
  ['run)', 4, '")", expected a tool name without )'],
  ['run()', 5, '")", expected an argument such as path or options.path'],
  ['run(a)', 6, '")", expected = and a value'],
  ['run(a..b=1)', 5, '"a", expected an argument such as path or options.path'],
  ['run(a=1', 8, 'the end, expected , or )'],
  ['run(a=1,)', 9, '")", expected an argument such as path or options.path'],
  ['run(a=*$(rm*))', 14, '")", expected nothing after the ); put a value that has , or ) in it in quotes'],
  ['run(a="b)', 10, 'the end, expected a closing "'],
  ['run(a="b"c)', 10, '"c", expected , or )'],
  ['run(a="\\n")', 9, '"n", expected *, " or \\ after the \\'],
])('%j is refused at column %i', (text, column, mistake) => {
  const message = `tool pattern ${JSON.stringify(text)}, column ${column}: found ${mistake}`;
  expect(() => parseToolPattern(text)).toThrow(new McpError('CONFIG_INVALID', message));
});

test('any text is read or refused with a code', () => {
  const piece = fc.constantFrom('a', '/', '*', '(', ')', '=', ',', '"', '\\', '.', ' ');
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 16 }), (text) => {
      try {
        expect(parseToolPattern(text).text).toBe(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
      }
    }),
  );
});

test('every value can be written in quotes, and then matches itself alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (value, other) => {
      const pattern = parseToolPattern(`x/t(a="${value.replaceAll(/[\\"*]/g, String.raw`\$&`)}")`);
      expect(matchesCall(pattern, callOf('x/t', { a: value }), TEMPLATE)).toBe(true);
      expect(matchesCall(pattern, callOf('x/t', { a: other }), TEMPLATE)).toBe(value === other);
    }),
  );
});
