import { expect, test } from 'vitest';
import { createPaint, mayColour } from './colour.ts';

test.for([
  { name: 'a terminal', isTerminal: true, env: {}, noColor: false, may: true },
  { name: 'a pipe', isTerminal: false, env: {}, noColor: false, may: false },
  { name: 'NO_COLOR', isTerminal: true, env: { NO_COLOR: '1' }, noColor: false, may: false },
  { name: 'an empty NO_COLOR', isTerminal: true, env: { NO_COLOR: '' }, noColor: false, may: true },
  { name: 'FORCE_COLOR in a pipe', isTerminal: false, env: { FORCE_COLOR: '1' }, noColor: false, may: true },
  {
    name: 'FORCE_COLOR against NO_COLOR',
    isTerminal: false,
    env: { FORCE_COLOR: '1', NO_COLOR: '1' },
    noColor: false,
    may: true,
  },
  { name: 'FORCE_COLOR=0', isTerminal: true, env: { FORCE_COLOR: '0' }, noColor: false, may: false },
  { name: '--no-color against FORCE_COLOR', isTerminal: true, env: { FORCE_COLOR: '1' }, noColor: true, may: false },
  { name: 'a dumb terminal', isTerminal: true, env: { TERM: 'dumb' }, noColor: false, may: false },
])('$name: colours $may', ({ may, ...circumstances }) => {
  expect(mayColour(circumstances)).toBe(may);
});

test('paint is on or off as a whole', () => {
  expect([createPaint(true).red('x'), createPaint(true).red(''), createPaint(false).red('x')]).toEqual([
    '\u001B[31mx\u001B[39m',
    '',
    'x',
  ]);
});
