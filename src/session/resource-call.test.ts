import { describe, expect, test } from 'vitest';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { Filesystem } from './filesystem.ts';
import { MemoryFilesystem } from './memory-filesystem.ts';
import { bind, bindInstance } from './resource-binding.ts';
import { ResourceContainer } from './resource-container.ts';
import { resourceKey } from './resource-key.ts';
import { ResourceRegistry } from './resource-registry.ts';
import type { ResourceConflict, ResourceTransaction, Snapshotable, Transactional } from './resource-transaction.ts';

/** A resource that can be put back as a whole, and counts how often it is asked. */
class Notes implements Snapshotable<readonly string[]> {
  lines: readonly string[] = ['before'];
  snapshots = 0;

  add(line: string): void {
    this.lines = [...this.lines, line];
  }

  snapshot(): readonly string[] {
    this.snapshots += 1;
    return this.lines;
  }

  async restore(lines: readonly string[]): Promise<void> {
    this.lines = lines;
  }
}

interface Fixture {
  readonly notes: Notes;
  readonly files: MemoryFilesystem;
  readonly container: ResourceContainer;
  readonly conflicts: ResourceConflict[];
}

function open(): Fixture {
  const [notes, files] = [new Notes(), new MemoryFilesystem({ a: 'before' })];
  const conflicts: ResourceConflict[] = [];
  const registry = ResourceRegistry.of(bindInstance(Notes, notes), bindInstance(Filesystem, files));
  const container = new ResourceContainer(registry, { onConflict: (conflict) => conflicts.push(conflict) });
  return { notes, files, container, conflicts };
}

describe('a call', () => {
  test('[S1.transaction] that is rolled back leaves every resource as it was', async () => {
    const { notes, files, container, conflicts } = open();
    const call = container.openCall();
    call.get(Notes)?.add('in the call');
    await call.get(Filesystem)?.writeText('a', 'in the call');
    expect([notes.lines, await files.readText('a')]).toEqual([['before', 'in the call'], 'in the call']);
    await call.rollback();
    expect([notes.lines, await files.readText('a'), conflicts]).toEqual([['before'], 'before', []]);
  });

  test('[S1.transaction] that is committed stays so, whatever comes after', async () => {
    const { notes, files, container } = open();
    const call = container.openCall();
    call.get(Notes)?.add('in the call');
    await call.get(Filesystem)?.writeText('a', 'in the call');
    await call.commit();
    await call.commit();
    await call.rollback();
    await call.close();
    expect([notes.lines, await files.readText('a')]).toEqual([['before', 'in the call'], 'in the call']);
  });

  test('[S1.transaction] that is closed without a commit is rolled back', async () => {
    const { notes, container } = open();
    const call = container.openCall();
    call.get(Notes)?.add('in the call');
    await call.close();
    expect(notes.lines).toEqual(['before']);
    await expect(call.commit()).rejects.toThrow('the call was rolled back and cannot be committed');
  });

  test('pays for what it gets, and once', async () => {
    const { notes, files, container } = open();
    await using idle = container.openCall();
    await using call = container.openCall();
    expect(call.get(Notes)).toBe(call.get(Notes));
    expect(call.get(Filesystem)).toBe(call.get(Filesystem));
    expect(call.get(Filesystem)).not.toBe(files);
    await idle.rollback();
    expect(notes.snapshots).toBe(1);
  });

  test('that only reads takes no snapshot, cannot write files, and disturbs nobody', async () => {
    const { notes, files, container, conflicts } = open();
    const writing = container.openCall();
    writing.get(Notes)?.add('in the call');
    const reading = container.openCall({ readOnly: true });
    expect(reading.get(Notes)?.lines).toEqual(['before', 'in the call']);
    expect(reading.get(Filesystem)).toBe(reading.get(Filesystem));
    await expect(reading.get(Filesystem)?.writeText('a', 'x')).rejects.toThrow(/read-only/);
    await expect(reading.openCall().get(Filesystem)?.delete('a')).rejects.toThrow(/read-only/);
    await reading.rollback();
    await writing.rollback();
    expect([notes.snapshots, notes.lines, await files.readText('a'), conflicts]).toEqual([1, ['before'], 'before', []]);
  });

  test('that made a helper for itself writes through it in its transaction', async () => {
    const helper = resourceKey<{ write(): Promise<void> }>('helper');
    const files = new MemoryFilesystem();
    const provider = bind(
      helper,
      (resources) => ({ write: async () => resources.get(Filesystem)?.writeText('a', 'helped') }),
      { scope: 'tool-call' },
    );
    const container = new ResourceContainer(ResourceRegistry.of(provider, bindInstance(Filesystem, files)));
    const call = container.openCall();
    await call.get(helper)?.write();
    expect(await files.readText('a')).toBe('helped');
    await call.rollback();
    expect(await files.exists('a')).toBe(false);
  });
});

describe('calls that overlap', () => {
  test('are never undone by each other, and the conflict is reported', async () => {
    const { notes, container, conflicts } = open();
    const [failing, good] = [container.openCall(), container.openCall()];
    failing.get(Notes)?.add('failing');
    good.get(Notes)?.add('good');
    await good.commit();
    await failing.rollback();
    expect(notes.lines).toEqual(['before', 'failing', 'good']);
    expect(conflicts).toEqual([{ resource: 'Notes', reason: 'shared' }]);
  });

  test('and both fail leave the resource alone', async () => {
    const { notes, container, conflicts } = open();
    const [one, other] = [container.openCall(), container.openCall()];
    one.get(Notes)?.add('one');
    other.get(Notes)?.add('other');
    await one.rollback();
    await other.rollback();
    expect(notes.lines).toEqual(['before', 'one', 'other']);
    expect(conflicts).toHaveLength(2);
  });

  test('but do not use it at the same time are undone', async () => {
    const { notes, container, conflicts } = open();
    const [one, other] = [container.openCall(), container.openCall()];
    other.get(Notes)?.add('other');
    await other.commit();
    one.get(Notes)?.add('one');
    await one.rollback();
    expect([notes.lines, conflicts]).toEqual([['before', 'other'], []]);
  });
});

describe('a call inside a call', () => {
  test('[S1.transaction] that fails leaves what the outer call did', async () => {
    const { notes, files, container, conflicts } = open();
    const outer = container.openCall();
    outer.get(Notes)?.add('outer');
    await outer.get(Filesystem)?.writeText('a', 'outer');
    const inner = outer.openCall();
    inner.get(Notes)?.add('inner');
    await inner.get(Filesystem)?.writeText('a', 'inner');
    await inner.close();
    await outer.commit();
    expect([notes.lines, await files.readText('a'), conflicts]).toEqual([['before', 'outer'], 'outer', []]);
  });

  test('[S1.transaction] that succeeds is undone with the outer call', async () => {
    const { notes, files, container, conflicts } = open();
    const outer = container.openCall();
    const inner = outer.openCall();
    inner.get(Notes)?.add('inner');
    await inner.get(Filesystem)?.writeText('a', 'inner');
    await inner.commit();
    expect([notes.lines, await files.readText('a')]).toEqual([['before', 'inner'], 'inner']);
    await outer.rollback();
    expect([notes.lines, await files.readText('a'), conflicts]).toEqual([['before'], 'before', []]);
  });

  test('that is still running when the outer call ends is undone', async () => {
    const { notes, files, container } = open();
    const outer = container.openCall();
    const inner = outer.openCall();
    inner.get(Notes)?.add('inner');
    await inner.get(Filesystem)?.writeText('a', 'inner');
    await outer.commit();
    await expect(inner.commit()).rejects.toThrow('cannot be committed');
    expect([notes.lines, await files.readText('a')]).toEqual([['before'], 'before']);
    expect(() => outer.openCall()).toThrow('a call was made inside a call that had ended');
  });

  test('shares the transaction of a resource that knows no inner ones', async () => {
    const log: string[] = [];
    const ledger = resourceKey<object>('ledger');
    const container = new ResourceContainer(ResourceRegistry.of(bindInstance(ledger, flat(log))));
    const outer = container.openCall();
    const inner = outer.openCall();
    expect(inner.get(ledger)).toBe(outer.get(ledger));
    await inner.rollback();
    await outer.commit();
    expect(log).toEqual(['commit']);
  });
});

describe('a resource that fails', () => {
  test('to commit makes the commit fail, after the others', async () => {
    const log: string[] = [];
    const [broken, fine] = [resourceKey<object>('broken'), resourceKey<object>('fine')];
    const failing = flat(log, { commit: () => Promise.reject(new Error('disk full')) });
    const container = new ResourceContainer(
      ResourceRegistry.of(bindInstance(broken, failing), bindInstance(fine, flat(log))),
    );
    const call = container.openCall();
    for (const key of [broken, fine]) call.get(key);
    await expect(call.commit()).rejects.toMatchObject({
      code: 'RESOURCE_FAILED',
      message: 'a resource could not be committed: disk full',
    });
    await call.close();
    expect(log).toEqual(['commit']);
  });

  test('to roll back is reported, and the others are rolled back, the last first', async () => {
    const log: string[] = [];
    const logger = new RecordingLogger();
    const cause = new Error('disk full');
    const [broken, fine] = [resourceKey<object>('broken'), resourceKey<object>('fine')];
    const failing = flat(log, { rollback: () => Promise.reject(cause) });
    const registry = ResourceRegistry.of(bindInstance(fine, flat(log)), bindInstance(broken, failing));
    const container = new ResourceContainer(registry, { logger });
    const call = container.openCall();
    for (const key of [fine, broken]) call.get(key);
    await call.rollback();
    expect(log).toEqual(['rollback']);
    const fields = { resource: 'broken', reason: 'restore-failed', cause };
    expect(logger.lines).toEqual([{ level: 'warn', message: 'a rollback left a resource as it was', fields }]);
  });

  test('to begin says so', () => {
    const notes = new Notes();
    notes.snapshot = () => {
      throw new Error('busy');
    };
    const container = new ResourceContainer(ResourceRegistry.of(bindInstance(Notes, notes)));
    expect(() => container.openCall().get(Notes)).toThrow('Notes could not begin a transaction: busy');
  });
});

/** A transactional resource without inner transactions, which tells what happens to it. */
function flat(log: string[], changes: Partial<ResourceTransaction<object>> = {}): Transactional<object> {
  return {
    begin: () => ({
      view: {},
      commit: () => void log.push('commit'),
      rollback: () => {
        log.push('rollback');
        return [];
      },
      ...changes,
    }),
    readOnlyView: () => ({}),
  };
}
