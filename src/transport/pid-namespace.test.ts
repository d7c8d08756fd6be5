import { chmod, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { systemClock } from '../clock.ts';
import { PidNamespace } from './pid-namespace.ts';

const PATH = process.env['PATH'] ?? '';

test('says why there are no namespaces where unshare is missing', async () => {
  const namespace = new PidNamespace({ env: { PATH: '/nowhere' }, clock: systemClock });
  expect(await namespace.probe()).toEqual({
    kind: 'unavailable',
    reason: expect.stringContaining("'unshare' not found") as string,
  });
});

test('says what unshare said where it is not allowed', async () => {
  await using folder = await openTemporaryFolder();
  await fakeUnshare(folder.file('unshare'), 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1');
  const namespace = new PidNamespace({ env: { PATH: `${folder.path}:${PATH}` }, clock: systemClock });
  expect(await namespace.probe()).toEqual({
    kind: 'unavailable',
    reason: 'unshare: unshare failed: Operation not permitted',
  });
});

test('tries only once', async () => {
  await using folder = await openTemporaryFolder();
  await fakeUnshare(folder.file('unshare'), `echo tried >>'${folder.file('log')}'`);
  const namespace = new PidNamespace({ env: { PATH: `${folder.path}:${PATH}` }, clock: systemClock });
  const [first, second] = await Promise.all([namespace.probe(), namespace.probe()]);
  expect(second).toBe(first);
  expect(await namespace.probe()).toMatchObject({ kind: 'available' });
  expect(folder.lines('log')).toEqual(['tried']);
});

async function fakeUnshare(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
