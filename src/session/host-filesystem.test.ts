import { chmod, mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { HostFilesystem } from './host-filesystem.ts';

const MEBIBYTE = 1024 * 1024;

interface Fixture extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly spill: TemporaryFolder;
  readonly filesystem: HostFilesystem;
}

async function open(): Promise<Fixture> {
  const [folder, spill] = [await openTemporaryFolder(), await openTemporaryFolder()];
  return {
    folder,
    spill,
    filesystem: new HostFilesystem({ root: folder.path, spillFolder: spill.path }),
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await spill[Symbol.asyncDispose]();
    },
  };
}

describe('writing', () => {
  test('shows on the disk at once, keeps the mode, and leaves no draft behind', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    await writeFile(folder.file('run.sh'), 'old');
    await chmod(folder.file('run.sh'), 0o751);
    const transaction = filesystem.begin();
    await transaction.view.writeText('run.sh', 'new');
    expect(await readFile(folder.file('run.sh'), 'utf8')).toBe('new');
    expect((await stat(folder.file('run.sh'))).mode & 0o777).toBe(0o751);
    await chmod(folder.file('run.sh'), 0o700);
    await transaction.rollback();
    expect((await stat(folder.file('run.sh'))).mode & 0o777).toBe(0o751);
    expect(await readdir(folder.path)).toEqual(['run.sh']);
  });

  test('goes through a link to the file behind it, which is one file under both names', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    await writeFile(folder.file('target'), 'old');
    await symlink('target', folder.file('link'));
    const [one, other] = [filesystem.begin(), filesystem.begin()];
    await one.view.writeText('link', 'one');
    await other.view.writeText('target', 'other');
    await one.rollback();
    expect(await filesystem.readText('link')).toBe('other');
    await other.rollback();
    expect(await filesystem.readText('target')).toBe('old');
    expect(await filesystem.list()).toEqual([
      { name: 'link', kind: 'file' },
      { name: 'target', kind: 'file' },
    ]);
  });
});

test.skipIf(process.getuid?.() === 0)('refuses to write a file that is protected from writing', async () => {
  await using fixture = await open();
  await writeFile(fixture.folder.file('protected'), 'before', { mode: 0o444 });
  await expect(fixture.filesystem.writeText('protected', 'after')).rejects.toThrow(
    'cannot write protected: it is not allowed',
  );
  expect(await fixture.filesystem.readText('protected')).toBe('before');
});

describe('links', () => {
  test('that lead out of the root, nowhere or in a circle are refused, and nothing behind them is touched', async () => {
    await using fixture = await open();
    await using outside = await openTemporaryFolder();
    const { folder, filesystem } = fixture;
    await writeFile(outside.file('secret'), 'secret');
    await symlink(outside.path, folder.file('out'));
    await symlink(outside.file('secret'), folder.file('secret'));
    await symlink(outside.file('missing'), folder.file('dangling'));
    await symlink('circle', folder.file('circle'));
    const paths = ['out/secret', 'out/new', 'out/new/below', 'secret', 'dangling', 'dangling/below', 'circle'];
    const attempts = paths.flatMap((path) => [
      filesystem.readText(path),
      filesystem.writeText(path, 'changed'),
      filesystem.delete(path),
      filesystem.stat(path),
    ]);
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
    expect(outcomes).toEqual(
      attempts.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'RESOURCE_FAILED' }) })),
    );
    expect(await readdir(outside.path)).toEqual(['secret']);
    expect(await readFile(outside.file('secret'), 'utf8')).toBe('secret');
    expect(await filesystem.list()).toEqual([]);
  });

  test('that appear while a call runs do not lead its rollback out of the root', async () => {
    await using fixture = await open();
    await using outside = await openTemporaryFolder();
    const { folder, filesystem } = fixture;
    const transaction = filesystem.begin();
    await transaction.view.writeText('folder/file', 'written');
    await rename(folder.file('folder'), outside.file('folder'));
    await symlink(outside.file('folder'), folder.file('folder'));
    expect(await transaction.rollback()).toEqual([
      { reason: 'restore-failed', part: 'folder/file', cause: expect.objectContaining({ code: 'RESOURCE_FAILED' }) },
    ]);
    expect(await readFile(outside.file('folder/file'), 'utf8')).toBe('written');
  });

  test('to a root are followed', async () => {
    await using fixture = await open();
    await symlink('.', fixture.folder.file('root'));
    const filesystem = new HostFilesystem({ root: fixture.folder.file('root') });
    await filesystem.writeText('a', 'x');
    expect(await fixture.filesystem.readText('a')).toBe('x');
  });
});

describe('a rollback', () => {
  test('never touches a file that its call did not write', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    await mkdir(folder.file('.git'));
    await writeFile(folder.file('.gitignore'), 'ignored\n');
    await writeFile(folder.file('ignored'), 'kept');
    await writeFile(folder.file('untracked'), 'kept');
    const transaction = filesystem.begin();
    await transaction.view.writeText('build/out.txt', 'ours');
    await writeFile(folder.file('build/theirs.txt'), 'a server wrote this');
    await writeFile(folder.file('ignored'), 'changed meanwhile');
    expect(await transaction.rollback()).toEqual([]);
    expect(await readdir(folder.path)).toEqual(['.git', '.gitignore', 'build', 'ignored', 'untracked']);
    expect(await readdir(folder.file('build'))).toEqual(['theirs.txt']);
    expect(await readFile(folder.file('ignored'), 'utf8')).toBe('changed meanwhile');
  });

  test('leaves what somebody else has changed since, and says so', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    await writeFile(folder.file('changed'), 'before');
    await writeFile(folder.file('removed'), 'before');
    await writeFile(folder.file('deleted'), 'before');
    await writeFile(folder.file('undone'), 'before');
    const transaction = filesystem.begin();
    for (const path of ['changed', 'removed', 'undone']) await transaction.view.writeText(path, 'ours');
    await transaction.view.delete('deleted');
    await writeFile(folder.file('changed'), 'theirs');
    await rm(folder.file('removed'));
    await writeFile(folder.file('deleted'), 'theirs');
    expect(await transaction.rollback()).toEqual([
      { reason: 'changed-outside', part: 'deleted' },
      { reason: 'changed-outside', part: 'removed' },
      { reason: 'changed-outside', part: 'changed' },
    ]);
    const contents = await Promise.all(['changed', 'deleted', 'undone'].map((path) => filesystem.readText(path)));
    expect([...contents, await filesystem.exists('removed')]).toEqual(['theirs', 'theirs', 'before', false]);
  });

  test('of a later write leads back to what somebody else wrote in between', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    const [one, other] = [filesystem.begin(), filesystem.begin()];
    await one.view.writeText('a', 'one');
    await writeFile(folder.file('a'), 'theirs');
    await other.view.writeText('a', 'other');
    expect(await other.rollback()).toEqual([]);
    expect(await filesystem.readText('a')).toBe('theirs');
    expect(await one.rollback()).toEqual([{ reason: 'changed-outside', part: 'a' }]);
    expect(await filesystem.readText('a')).toBe('theirs');
  });

  test('that cannot restore one file restores the others', async () => {
    await using fixture = await open();
    const { folder, filesystem } = fixture;
    await writeFile(folder.file('a'), 'before');
    await writeFile(folder.file('b'), 'before');
    const transaction = filesystem.begin();
    await transaction.view.writeText('a', 'after');
    await transaction.view.delete('b');
    await mkdir(folder.file('b'));
    expect(await transaction.rollback()).toEqual([
      { reason: 'restore-failed', part: 'b', cause: expect.objectContaining({ code: 'EISDIR' }) },
    ]);
    expect(await filesystem.readText('a')).toBe('before');
  });
});

describe('large files', () => {
  test('wait outside the root until no call needs them', async () => {
    await using fixture = await open();
    const { folder, spill, filesystem } = fixture;
    const large = Buffer.alloc(MEBIBYTE + 1, 'x');
    await writeFile(folder.file('large'), large, { mode: 0o640 });
    await writeFile(folder.file('small'), large.subarray(1));
    const [one, other] = [filesystem.begin(), filesystem.begin()];
    await one.view.writeText('small', 'after');
    expect(await readdir(spill.path)).toEqual([]);
    await one.view.writeText('large', 'after');
    const [spilled = ''] = await readdir(spill.path);
    expect(await readdir(spill.file(spilled))).toHaveLength(1);
    expect((await stat(spill.file(spilled))).mode & 0o777).toBe(0o700);
    await other.view.writeText('else', 'x');
    await one.rollback();
    expect(large.equals(await readFile(folder.file('large')))).toBe(true);
    expect((await stat(folder.file('large'))).mode & 0o777).toBe(0o640);
    expect(await readdir(spill.file(spilled))).toEqual([]);
    await other.commit();
    expect(await readdir(spill.path)).toEqual([]);
  });

  test('wait in memory when the folder for them lies in the root', async () => {
    await using fixture = await open();
    const { folder } = fixture;
    const filesystem = new HostFilesystem({ root: folder.path, spillFolder: folder.path });
    const large = Buffer.alloc(MEBIBYTE + 1, 'x');
    await writeFile(folder.file('large'), large);
    const transaction = filesystem.begin();
    await transaction.view.writeText('large', 'after');
    expect(await readdir(folder.path)).toEqual(['large']);
    await transaction.rollback();
    expect(large.equals(await readFile(folder.file('large')))).toBe(true);
  });

  test('of calls that never ended go when the filesystem is closed', async () => {
    await using fixture = await open();
    const { folder, spill, filesystem } = fixture;
    await writeFile(folder.file('large'), Buffer.alloc(MEBIBYTE + 1));
    await filesystem.begin().view.delete('large');
    expect(await readdir(spill.path)).toHaveLength(1);
    await filesystem[Symbol.asyncDispose]();
    expect(await readdir(spill.path)).toEqual([]);
  });
});
