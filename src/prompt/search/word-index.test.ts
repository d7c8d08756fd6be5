import { expect, test } from 'vitest';
import type { ToolDocument } from './tool-document.ts';
import { WordIndex } from './word-index.ts';

function scores(query: string, documents: readonly ToolDocument[]): readonly number[] {
  const index = new WordIndex();
  index.add(documents.map((document, slot) => ({ slot, document })));
  return [...index.score(query)];
}

test('finds what is called by another word for the same', () => {
  const documents = [{ name: 'photo_album' }, { name: 'text_album' }];
  expect(scores('pictures', documents)).toEqual([1, 0]);
});

test('prefers a word as it is written to another form of it', () => {
  const [asWritten = 0, otherForm = 0] = scores('settings', [{ name: 'settings' }, { name: 'setting' }]);
  expect(asWritten).toBe(1);
  expect(otherForm).toBeGreaterThan(0);
  expect(otherForm).toBeLessThan(1);
});

test('does not mistake how something is asked for what is asked for', () => {
  const documents = [{ name: 'help_desk', description: 'Tell us what you need, we like to help.' }, { name: 'print' }];
  expect(scores('I need help, tell me how I can print', documents)).toEqual([0, 1]);
});

test('looks for the words of the asking when there are no others', () => {
  expect(scores('help', [{ name: 'help_desk' }, { name: 'print' }])).toEqual([1, 0]);
});

test('hears a short wish behind a long story', () => {
  const others = Array.from({ length: 20 }, (_, place) => ({
    name: `tool${place}`,
    description: 'Something by post.',
  }));
  const hut = { name: 'alpine_mountain_hut', description: 'Beds, soup and a stove below the glacier.' };
  const documents = [{ name: 'send_invoice', description: 'By post.' }, hut, ...others];
  const story = 'In the alpine mountain hut below the glacier we had soup, beds and a stove';
  const wish = 'invoice every customer by post';
  const [together = 0] = scores(`${story} ${wish}`, documents);
  const [apart = 0] = scores(`${story}. ${wish}`, documents);
  expect(together).toBeLessThan(0.4);
  expect(apart).toBeGreaterThan(together + 0.3);
});

test('counts a word in the parameters once, however often it stands there', () => {
  const text = (times: number): ToolDocument => ({
    name: 'a',
    description: 'Alpha.',
    inputSchema: { properties: { x: { description: `${'zebra '.repeat(times)}stripe` } } },
  });
  expect(scores('zebra', [text(1), text(50)])).toEqual([1, 1]);
});

test('counts a name for more than a description, and a description for more than parameters', () => {
  const documents = [
    { name: 'x', inputSchema: { properties: { zebra: {} } } },
    { name: 'y', description: 'Zebra.' },
    { name: 'zebra' },
  ];
  const [parameter = 0, description = 0, name = 0] = scores('zebra', documents);
  expect(parameter).toBeLessThan(description);
  expect(description).toBeLessThan(name);
});
