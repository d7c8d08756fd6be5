import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from './display-width.ts';
import { renderTable } from './text-table.ts';

const COLUMNS = [{ title: 'NAME' }, { title: 'SIZE', align: 'right' }, { title: 'ABOUT' }] as const;

test('columns are aligned, and lines have no trailing blanks', () => {
  const rows = [
    [{ text: 'a' }, { text: '1' }, { text: 'first' }],
    [{ text: 'longer' }, { text: '20' }, { text: '' }],
  ];
  expect(renderTable(COLUMNS, rows, { width: 80 })).toEqual([
    'NAME    SIZE  ABOUT',
    'a          1  first',
    'longer    20',
  ]);
});

test('styles colour the padded text without moving it', () => {
  const rows = [[{ text: 'a', style: (text: string) => `<${text}>` }, { text: '1' }]];
  expect(renderTable(COLUMNS.slice(0, 2), rows, { width: 80, styleTitle: (text) => `*${text}*` })).toEqual([
    '*NAME*  *SIZE*',
    '<a   >     1',
  ]);
});

test('the widest column gives way first', () => {
  const rows = [[{ text: 'name' }, { text: '1' }, { text: 'a long description' }]];
  expect(renderTable(COLUMNS, rows, { width: 22 })).toEqual(['NAME  SIZE  ABOUT', 'name     1  a long de…']);
});

test('no line is wider than the terminal', () => {
  const cell = fc.record({ text: fc.string({ unit: fc.constantFrom('a', ' ', '日'), maxLength: 40 }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell)), fc.integer({ min: 16, max: 60 }), (rows, width) => {
      for (const line of renderTable(COLUMNS, rows, { width })) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});
