import { statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../test/fixtures/temporary-folder.ts';
import { makePrivateFolder } from './private-folder.ts';

test('a folder is made with all above it, for its owner alone, and may be there already', async () => {
  await using folder = await openTemporaryFolder();
  const path = folder.file(join('a', 'b', 'c'));
  makePrivateFolder(path);
  makePrivateFolder(path);
  const modes = [path, join(path, '..')].map((each) => statSync(each).mode & 0o777);
  expect(modes).toEqual(platform() === 'win32' ? modes : [0o700, 0o700]);
});

test('what stands in the way is told', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('file'), '');
  expect(() => makePrivateFolder(folder.file(join('file', 'x')))).toThrow('ENOTDIR');
});

test.runIf(platform() === 'linux')('a place that takes no folders is not tried for ever', () => {
  expect(() => makePrivateFolder('/proc/fairlead/catalog')).toThrow('ENOENT');
});
