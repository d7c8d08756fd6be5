import { statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { createFileTokenStore } from './file-token-store.ts';
import { createMemoryTokenStore } from './token-store.ts';
import type { Grants } from './token-store.ts';

const grantsOf = (token: string): Grants => ({
  current: 'https://login.example',
  byIssuer: { 'https://login.example': { tokens: { access_token: token, token_type: 'Bearer' } } },
});

describe.for(['memory', 'file'] as const)('a token store in %s', (kind) => {
  test('gives back what it was given, by its key', async () => {
    await using folder = await openTemporaryFolder();
    const store = kind === 'memory' ? createMemoryTokenStore() : createFileTokenStore(folder.file('tokens'));
    expect(await store.load('a')).toBeUndefined();
    await store.save('a', grantsOf('first'));
    await store.save('b', grantsOf('second'));
    await store.save('a', grantsOf('third'));
    expect([await store.load('a'), await store.load('b')]).toEqual([grantsOf('third'), grantsOf('second')]);
  });
});

describe('a token file', () => {
  test('can be read by its owner alone, and nothing else is left beside it', async () => {
    await using folder = await openTemporaryFolder();
    writeFileSync(folder.file('tokens'), '{}', { mode: 0o644 });
    await createFileTokenStore(folder.file('tokens')).save('a', grantsOf('x'));
    expect(statSync(folder.file('tokens')).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['tokens']);
  });

  test('is made in a folder that only its owner can enter', async () => {
    await using folder = await openTemporaryFolder();
    await createFileTokenStore(folder.file('state/tokens')).save('a', grantsOf('x'));
    expect(statSync(folder.file('state')).mode & 0o777).toBe(0o700);
  });

  test.each(['', '{"a":', 'null', '5'])('that holds %j counts as empty', async (text) => {
    await using folder = await openTemporaryFolder();
    writeFileSync(folder.file('tokens'), text);
    const store = createFileTokenStore(folder.file('tokens'));
    expect(await store.load('a')).toBeUndefined();
    await store.save('a', grantsOf('x'));
    expect(await store.load('a')).toEqual(grantsOf('x'));
  });

  test('loses nothing when many are saved at once', async () => {
    await using folder = await openTemporaryFolder();
    const store = createFileTokenStore(folder.file('tokens'));
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    await Promise.all(keys.map((key) => store.save(key, grantsOf(key))));
    expect(await Promise.all(keys.map((key) => store.load(key)))).toEqual(keys.map(grantsOf));
  });

  test('that cannot be read is a failure, not an empty store', async () => {
    await using folder = await openTemporaryFolder();
    await expect(createFileTokenStore(folder.path).load('a')).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
