import { symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { hostDisk } from './disk.ts';

test('tells what a path is, where a link leads, and how a file begins', async () => {
  await using folder = await openTemporaryFolder();
  await writeFile(folder.file('script'), '#!/usr/bin/env node\nmore');
  await symlink('script', folder.file('link'));
  await symlink('nowhere', folder.file('broken'));
  const names = ['script', 'link', 'broken', 'none'];
  expect(names.map((name) => hostDisk.kindOf(folder.file(name)))).toEqual(['file', 'link', 'link', undefined]);
  expect(hostDisk.kindOf(folder.path)).toBe('folder');
  expect(names.map((name) => hostDisk.linkTarget(folder.file(name)))).toEqual([
    undefined,
    'script',
    'nowhere',
    undefined,
  ]);
  expect(names.map((name) => hostDisk.realPath(folder.file(name)))).toEqual([
    folder.file('script'),
    folder.file('script'),
    undefined,
    undefined,
  ]);
  expect([...names.map((name) => folder.file(name)), folder.path].map((path) => hostDisk.firstLine(path))).toEqual([
    '#!/usr/bin/env node',
    '#!/usr/bin/env node',
    '',
    '',
    '',
  ]);
});
