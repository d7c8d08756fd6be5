import { expect, test } from 'vitest';
import { oneLine, printable } from './printable.ts';

test('a server cannot colour, clear or retitle the terminal', () => {
  expect(printable('a\u001B[31mred\u001B[0m \u001B[2Jb\u001B]0;title\u0007c\r\nd\te\u0008')).toBe('ared bc\nd\te');
});

test('one line has single blanks', () => {
  expect(oneLine('  a\n\n b\tc ')).toBe('a b c');
});
