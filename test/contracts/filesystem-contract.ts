import { assert, asyncProperty } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpError } from '../../src/errors.ts';
import type { TransactionalFilesystem } from '../../src/session/filesystem-transaction.ts';
import type { Filesystem } from '../../src/session/filesystem.ts';
import type { ResourceTransaction } from '../../src/session/resource-transaction.ts';
import { FilesystemModel, INITIAL, PATHS, steps } from './filesystem-model.ts';
import type { Step, TransactionName } from './filesystem-model.ts';

/** A filesystem under test, empty. */
export interface ContractFilesystem extends AsyncDisposable {
  readonly filesystem: TransactionalFilesystem<object>;
}

export interface ContractOptions {
  /** How many random scripts are played; a disk is slower than memory. */
  readonly scripts: number;
}

/** What every filesystem must do, wherever its files are. */
export function filesystemContract(
  name: string,
  open: () => Promise<ContractFilesystem>,
  { scripts }: ContractOptions,
): void {
  describe(`filesystem contract: ${name}`, () => {
    readingAndWriting(open);
    transactions(open);
    interleavings(open, scripts);
  });
}

function readingAndWriting(open: () => Promise<ContractFilesystem>): void {
  test('reads what was written, as text and as bytes', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    const bytes = Uint8Array.of(0, 255, 1);
    await filesystem.writeText('notes/a.txt', '\uFEFFgrüße');
    await filesystem.writeBytes('raw', bytes);
    bytes.fill(7);
    expect(await filesystem.readText('./notes//a.txt')).toBe('\uFEFFgrüße');
    expect(await filesystem.readBytes('raw')).toEqual(Uint8Array.of(0, 255, 1));
    await expect(filesystem.readText('raw')).rejects.toThrow(/not UTF-8/);
  });

  test('says what is there', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    expect(await filesystem.list()).toEqual([]);
    await filesystem.writeText('b/c/d', 'four');
    await filesystem.writeText('a', '');
    expect(await filesystem.list()).toEqual([
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'folder' },
    ]);
    expect(await filesystem.list('b/c')).toEqual([{ name: 'd', kind: 'file' }]);
    expect(await filesystem.list('nowhere')).toEqual([]);
    expect(await Promise.all(['a', 'b', 'b/c/d', 'x'].map((path) => filesystem.stat(path)))).toEqual([
      { kind: 'file', size: 0 },
      { kind: 'folder', size: 0 },
      { kind: 'file', size: 4 },
      undefined,
    ]);
    expect([await filesystem.exists('b/c/d'), await filesystem.exists('a/d')]).toEqual([true, false]);
    expect([await filesystem.delete('b/c/d'), await filesystem.delete('b/c/d')]).toEqual([true, false]);
    expect(await filesystem.exists('b/c/d')).toBe(false);
  });

  test('refuses paths out of the root, and what is no file', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    await filesystem.writeText('folder/file', 'x');
    const refusals = [
      ...['../a', '/etc/passwd', 'folder/../../a', 'a\0'].flatMap((path) => [
        filesystem.readText(path),
        filesystem.writeText(path, ''),
        filesystem.delete(path),
        filesystem.exists(path),
        filesystem.list(path),
      ]),
      filesystem.readText('missing'),
      filesystem.readText('folder'),
      filesystem.writeText('folder', ''),
      filesystem.writeText('folder/file/below', ''),
      filesystem.delete('folder'),
      filesystem.list('folder/file'),
      filesystem.writeText('.', ''),
    ];
    const outcomes = await Promise.allSettled(refusals);
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as McpError).code);
    expect(codes).toEqual(refusals.map(() => 'RESOURCE_FAILED'));
    expect(await filesystem.list('folder')).toEqual([{ name: 'file', kind: 'file' }]);
  });

  test('a read-only view reads and does not write', async () => {
    await using fixture = await open();
    await fixture.filesystem.writeText('a', 'before');
    const view = fixture.filesystem.readOnlyView();
    await expect(view.writeText('a', 'after')).rejects.toThrow(/read-only/);
    await expect(view.delete('a')).rejects.toThrow(McpError);
    expect(await view.readText('a')).toBe('before');
  });
}

function transactions(open: () => Promise<ContractFilesystem>): void {
  test('[S1.transaction] a rollback takes back every write, and a commit keeps it', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    await filesystem.writeText('kept', 'before');
    await filesystem.writeText('deleted', 'before');
    const failed = filesystem.begin();
    await failed.view.writeText('kept', 'after');
    await failed.view.writeText('kept', 'long after');
    await failed.view.delete('deleted');
    await failed.view.writeText('new/folder/file', 'after');
    expect(await filesystem.readText('kept')).toBe('long after');
    expect(await failed.rollback()).toEqual([]);
    expect([await filesystem.readText('kept'), await filesystem.readText('deleted')]).toEqual(['before', 'before']);
    expect((await filesystem.list()).map((entry) => entry.name)).toEqual(['deleted', 'kept']);
    const good = filesystem.begin();
    await good.view.writeText('kept', 'after');
    await good.commit();
    expect(await filesystem.readText('kept')).toBe('after');
  });

  test('a write that failed is not undone', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    await filesystem.writeText('folder/file', 'before');
    const transaction = filesystem.begin();
    await expect(transaction.view.writeText('folder', '')).rejects.toThrow(McpError);
    await expect(transaction.view.writeText('folder/file/below', '')).rejects.toThrow(McpError);
    expect(await transaction.rollback()).toEqual([]);
    expect(await filesystem.readText('folder/file')).toBe('before');
  });

  test('what is written directly is there for good', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    const transaction = filesystem.begin();
    await transaction.view.writeText('a', 'in a call');
    await filesystem.writeText('a', 'for good');
    expect(await transaction.rollback()).toEqual([]);
    expect(await filesystem.readText('a')).toBe('for good');
  });

  test('a call that has ended writes no more', async () => {
    await using fixture = await open();
    const { filesystem } = fixture;
    const transaction = filesystem.begin();
    await transaction.view.writeText('a', 'in time');
    const late = transaction.view.writeText('b', 'too late').catch((error: unknown) => error);
    await transaction.rollback();
    expect(await late).toBeInstanceOf(McpError);
    await expect(transaction.view.writeText('c', 'much too late')).rejects.toThrow(/has ended/);
    expect(await filesystem.list()).toEqual([]);
  });

  test('a write that was asked for before the commit is committed', async () => {
    await using fixture = await open();
    const transaction = fixture.filesystem.begin();
    const writing = transaction.view.writeText('a', 'in time');
    await transaction.commit();
    await writing;
    expect(await fixture.filesystem.readText('a')).toBe('in time');
  });
}

function interleavings(open: () => Promise<ContractFilesystem>, scripts: number): void {
  test('transactions that overlap never undo each other', async () => {
    await assert(
      asyncProperty(steps, async (script) => {
        await using fixture = await open();
        await play(script, fixture.filesystem);
      }),
      { numRuns: scripts },
    );
  });
}

/** Runs a script on a filesystem and on the model, and compares them after every step. */
async function play(script: readonly Step[], filesystem: TransactionalFilesystem<object>): Promise<void> {
  const model = new FilesystemModel();
  const open = new Map<TransactionName, ResourceTransaction<Filesystem>>();
  for (const [path, content] of Object.entries(INITIAL)) await filesystem.writeText(path, content);

  const begin = (name: TransactionName): ResourceTransaction<Filesystem> => {
    const known = open.get(name);
    if (known) return known;
    const begun = name === 'inside A' ? begin('A').begin?.() : filesystem.begin();
    if (!begun) throw new Error('no inner transactions');
    open.set(name, begun);
    return begun;
  };
  const end = async (name: TransactionName, action: 'commit' | 'roll back'): Promise<void> => {
    if (name === 'A' && open.has('inside A')) await end('inside A', 'roll back');
    const ending = open.get(name);
    open.delete(name);
    if (action === 'commit') {
      model.commit(name);
      await ending?.commit();
      return;
    }
    model.rollBack(name);
    expect((await ending?.rollback()) ?? []).toEqual([]);
  };
  const agree = async (): Promise<void> => {
    const contents: Record<string, string | undefined> = {};
    for (const path of PATHS) {
      contents[path] = (await filesystem.exists(path)) ? await filesystem.readText(path) : undefined;
    }
    expect(contents).toEqual(model.contents());
  };

  for (const { transaction, action, path, content } of script) {
    if (action === 'write') {
      await begin(transaction).view.writeText(path, content);
      model.change(path, content, transaction);
    } else if (action === 'delete') {
      await begin(transaction).view.delete(path);
      model.change(path, undefined, transaction);
    } else await end(transaction, action);
    await agree();
  }
  for (const name of [...open.keys()].toReversed()) await end(name, 'roll back');
  await agree();
}
