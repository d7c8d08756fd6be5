import { statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { createEraStore, createFileEraStore } from './era-store.ts';

test('remembers each server by its definition', () => {
  const store = createEraStore();
  store.memoryOf('a').note('legacy', 'guess');
  store.memoryOf('b').note('modern', 'proved');
  expect([store.memoryOf('a').recall(), store.memoryOf('b').recall(), store.memoryOf('c').recall()]).toEqual([
    'legacy',
    'modern',
    undefined,
  ]);
  store.memoryOf('a').forget();
  expect(store.memoryOf('a').recall()).toBeUndefined();
});

test('keeps in its file what was proved, and no guess', async () => {
  await using folder = await openTemporaryFolder();
  const path = folder.file('state/eras.json');
  const store = createFileEraStore(path);
  store.memoryOf('guessed').note('legacy', 'guess');
  store.memoryOf('proved').note('legacy-sse', 'proved');
  store.memoryOf('forgotten').note('modern', 'proved');
  store.memoryOf('forgotten').forget();
  const next = createFileEraStore(path);
  expect(['guessed', 'proved', 'forgotten'].map((name) => next.memoryOf(name).recall())).toEqual([
    undefined,
    'legacy-sse',
    undefined,
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(['{"a":', '[]', '{"a":"nonsense"}', 'null'])('takes a file that holds %s for an empty one', async (text) => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('eras.json'), text);
  const memory = createFileEraStore(folder.file('eras.json')).memoryOf('a');
  expect(memory.recall()).toBeUndefined();
  memory.note('modern', 'proved');
  expect(createFileEraStore(folder.file('eras.json')).memoryOf('a').recall()).toBe('modern');
});
