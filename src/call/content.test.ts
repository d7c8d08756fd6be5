import { expect, test } from 'vitest';
import { textOf } from './content.ts';

test('the text of content is that of its text pieces, one per line', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///x', text: 'not this' } },
    { type: 'text', text: 'two' },
  ];
  expect(textOf(content)).toBe('one\ntwo');
});

test('there is no text in nothing, and none in a text piece without one', () => {
  expect([textOf([]), textOf([{ type: 'text' }, { type: 'text', text: 7 }])]).toEqual(['', '']);
});
