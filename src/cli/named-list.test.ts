import { expect, test } from 'vitest';
import { renderNamedList } from './named-list.ts';

test('texts are aligned and cut to the width', () => {
  const lines = [
    { name: 'a', text: 'one line\nof text that goes on and on' },
    { name: 'longer', text: '' },
  ];
  expect(renderNamedList(lines, { width: 34 })).toEqual(['  a       one line of text that g…', '  longer']);
});

test('a name is never cut; its text moves to the next line', () => {
  const lines = [
    { name: 'a_name_of_some_length', text: 'what it does' },
    { name: 'b', text: 'short' },
  ];
  expect(renderNamedList(lines, { width: 40 })).toEqual([
    '  a_name_of_some_length',
    '    what it does',
    '  b             short',
  ]);
});

test('nothing is cut where no terminal shows it', () => {
  const text = 'x'.repeat(500);
  expect(renderNamedList([{ name: 'a', text }], { width: Infinity })).toEqual([`  a  ${text}`]);
});
