import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { dotenvSource, environmentSource } from './secret-sources.ts';

test('an environment knows its own names only', async () => {
  const source = environmentSource({ A: '1', EMPTY: '', UNSET: undefined });
  const names = ['A', 'EMPTY', 'UNSET', 'B', 'constructor'];
  expect(await Promise.all(names.map((name) => source.get(name)))).toEqual(['1', '', undefined, undefined, undefined]);
});

test('a .env file is read when it is asked, so that a correction counts at once', async () => {
  await using folder = await openTemporaryFolder();
  const source = dotenvSource(folder.file('.env'));
  const before = await source.get('A');
  await writeFile(folder.file('.env'), 'A=1\n');
  expect([source.name, before, await source.get('A'), await source.get('B')]).toEqual([
    '.env',
    undefined,
    '1',
    undefined,
  ]);
});

test('a .env that cannot be read is an error, not an empty one', async () => {
  await using folder = await openTemporaryFolder();
  await mkdir(folder.file('.env'));
  await expect(dotenvSource(folder.file('.env')).get('A')).rejects.toMatchObject({ code: 'EISDIR' });
});

test('waiting for it can be given up', async () => {
  await using folder = await openTemporaryFolder();
  await writeFile(folder.file('.env'), 'A=1\n');
  await expect(dotenvSource(folder.file('.env')).get('A', AbortSignal.abort())).rejects.toMatchObject({
    name: 'AbortError',
  });
});
