import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tellingLines } from './telling-lines.ts';

const NODE = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`;

const PYTHON = `Traceback (most recent call last):
  File "/srv/server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'
`;

const NPM = `npm error code E404
npm error 404 Not Found - GET https://registry.example/nosuch - Not found
npm error 404
npm error 404 The requested resource 'nosuch@*' could not be found.
npm error A complete log of this run can be found in: /tmp/log
`;

test.for([
  ['Node', NODE, ["Error: Cannot find module '/srv/server.js'"]],
  ['Python', PYTHON, ["ModuleNotFoundError: No module named 'mcp'"]],
  [
    'npm',
    NPM,
    [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example/nosuch - Not found',
      "npm error 404 The requested resource 'nosuch@*' could not be found.",
    ],
  ],
] as const)('the error that ended a process is told, not what %s writes around it', ([, stderr, lines]) => {
  expect(tellingLines(stderr, 3)).toEqual(lines);
});

test('the last of several errors is told, with what was written after it', () => {
  expect(tellingLines('Error: first\n    at a\nTypeError: second\n    at b\ngiving up\n', 3)).toEqual([
    'TypeError: second',
    'giving up',
  ]);
});

test('without an error the last lines are told', () => {
  expect(tellingLines('1\n2\n\n3\n4 \n', 3)).toEqual(['2', '3', '4']);
});

test('no more lines are told than asked for, and only lines that were written', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('Error: x', '    at y', 'z', '', '}')), fc.nat(5), (lines, count) => {
      const told = tellingLines(lines.join('\n'), count + 1);
      expect(told.length).toBeLessThanOrEqual(count + 1);
      expect(lines).toEqual(expect.arrayContaining([...told]));
    }),
  );
});
