import { McpError } from '../errors.ts';
import type { ContentMark, FileStore, FileWriter } from './filesystem-store.ts';
import type { RollbackConflict } from './resource-transaction.ts';
import { commit, commitInto, needsImage, recordWrite, rollBack } from './write-journal.ts';
import type { WriteStack } from './write-journal.ts';

/** One transaction in a journal. */
export interface JournalTransaction {
  readonly outer: JournalTransaction | undefined;
  /** The paths as they were given, by place. */
  readonly written: Map<string, string>;
  readonly conflicts: RollbackConflict[];
  isOpen: boolean;
}

/** Writes files for several transactions at a time, and undoes the writes of each without harm to the others. */
export class FilesystemJournal<Image extends object> {
  readonly #store: FileStore<Image>;
  readonly #files = new Map<string, JournaledFile<Image>>();
  #openCount = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(store: FileStore<Image>) {
    this.#store = store;
  }

  begin(outer?: JournalTransaction): JournalTransaction {
    this.#openCount += 1;
    return { outer, written: new Map(), conflicts: [], isOpen: true };
  }

  /** Writes for a transaction, or for good when there is none. */
  writer(transaction?: JournalTransaction): FileWriter {
    return {
      write: (path, bytes) =>
        this.#inTurn(() => this.#change(path, transaction, (place) => this.#store.replace(place, bytes))),
      delete: (path) =>
        this.#inTurn(async () => {
          const found = await this.#store.stat(path);
          if (found === undefined) return false;
          if (found.kind === 'folder') throw new McpError('RESOURCE_FAILED', `cannot delete ${path}: it is a folder`);
          await this.#change(path, transaction, (place) => this.#store.remove(place));
          return true;
        }),
    };
  }

  /** Writes that were asked for before are part of it. */
  commit(transaction: JournalTransaction): Promise<void> {
    return this.#inTurn(async () => {
      if (!transaction.isOpen) return;
      transaction.isOpen = false;
      for (const [place, path] of transaction.written) await this.#commitFile(transaction, place, path);
      transaction.outer?.conflicts.push(...transaction.conflicts);
      await this.#end();
    });
  }

  /** Writes that still wait are not made. */
  rollback(transaction: JournalTransaction): Promise<readonly RollbackConflict[]> {
    const wasOpen = transaction.isOpen;
    transaction.isOpen = false;
    return this.#inTurn(async () => {
      if (!wasOpen) return [];
      for (const [place, path] of [...transaction.written].toReversed()) {
        await this.#rollBackFile(transaction, place, path);
      }
      await this.#end();
      return transaction.conflicts;
    });
  }

  async #change(path: string, transaction: JournalTransaction | undefined, change: Change): Promise<void> {
    if (transaction?.isOpen === false) {
      throw new McpError('RESOURCE_FAILED', `cannot change ${path}: the call has ended`);
    }
    const place = await this.#store.locate(path);
    if (!transaction) {
      await this.#attempt(place, change);
      await this.#forget(place);
      return;
    }
    await this.#heedOutsiders(place);
    const stack = this.#files.get(place)?.stack ?? [];
    const before = needsImage(stack, transaction) ? await this.#store.capture(place) : undefined;
    const mark = await this.#attempt(place, change, before);
    await this.#keep(place, before ? recordWrite(stack, { transaction, before }) : stack, mark);
    transaction.written.set(place, path);
  }

  /** A change that fails leaves nothing behind. */
  async #attempt(place: string, change: Change, before?: Image): Promise<ContentMark> {
    try {
      return await change(place);
    } catch (error) {
      if (before) await this.#store.release(before);
      await this.#store.dropFolders(place);
      throw error;
    }
  }

  async #commitFile(transaction: JournalTransaction, place: string, path: string): Promise<void> {
    const file = this.#files.get(place);
    const { outer } = transaction;
    if (outer) outer.written.set(place, path);
    if (!file) return;
    if (outer) return this.#keep(place, commitInto(file.stack, transaction, outer), file.mark);
    if (file.mark !== undefined) this.#store.keepFolders(place);
    return this.#keep(place, commit(file.stack, transaction), file.mark);
  }

  async #rollBackFile(transaction: JournalTransaction, place: string, path: string): Promise<void> {
    const isOnTop = this.#files.get(place)?.stack.at(-1)?.transaction === transaction;
    try {
      if (isOnTop) await this.#heedOutsiders(place);
      const file = this.#files.get(place);
      if (!file) return;
      const { stack, restore } = rollBack(file.stack, transaction);
      const mark = restore === undefined ? file.mark : await this.#store.restore(place, restore);
      await this.#keep(place, stack, mark);
    } catch (cause) {
      transaction.conflicts.push({ reason: 'restore-failed', part: path, cause });
      const file = this.#files.get(place);
      if (file) await this.#keep(place, rollBack(file.stack, transaction).stack, file.mark);
    } finally {
      await this.#store.dropFolders(place);
    }
  }

  /** A change that did not come through here is kept like a committed one: no rollback goes behind it. */
  async #heedOutsiders(place: string): Promise<void> {
    const file = this.#files.get(place);
    if (!file || (await this.#store.mark(place)) === file.mark) return;
    for (const { transaction } of file.stack) {
      const part = transaction.written.get(place) ?? place;
      transaction.conflicts.push({ reason: 'changed-outside', part });
    }
    await this.#forget(place);
  }

  async #forget(place: string): Promise<void> {
    this.#store.keepFolders(place);
    await this.#keep(place, [], undefined);
  }

  /** Replaces what is known of a file, and frees the images that are no longer needed. */
  async #keep(place: string, stack: WriteStack<JournalTransaction, Image>, mark: ContentMark): Promise<void> {
    const known = this.#files.get(place)?.stack ?? [];
    if (stack.length === 0) this.#files.delete(place);
    else this.#files.set(place, { stack, mark });
    const needed = new Set(stack.map(({ before }) => before));
    for (const { before } of known) {
      if (!needed.has(before)) await this.#store.release(before);
    }
  }

  async #end(): Promise<void> {
    this.#openCount -= 1;
    if (this.#openCount === 0) await this.#store.settle();
  }

  /** One thing at a time: the journal and the files never disagree. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

type Change = (place: string) => Promise<ContentMark>;

interface JournaledFile<Image> {
  readonly stack: WriteStack<JournalTransaction, Image>;
  /** The content as the last write through the journal left it. */
  readonly mark: ContentMark;
}
