import { expect, test } from 'vitest';
import { McpError } from '../errors.ts';
import { MemoryFilesystem } from './memory-filesystem.ts';

test('starts with the texts it was given', async () => {
  const filesystem = new MemoryFilesystem({ 'docs/a.md': '# A', './b': 'bee' });
  expect([await filesystem.readText('docs/a.md'), await filesystem.readText('b')]).toEqual(['# A', 'bee']);
  expect(() => new MemoryFilesystem({ '../a': '' })).toThrow(McpError);
});

test('what was read is a copy', async () => {
  const filesystem = new MemoryFilesystem({ a: 'as it was' });
  (await filesystem.readBytes('a')).fill(0);
  expect(await filesystem.readText('a')).toBe('as it was');
});
