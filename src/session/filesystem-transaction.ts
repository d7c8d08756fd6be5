import { FilesystemJournal } from './filesystem-journal.ts';
import type { JournalTransaction } from './filesystem-journal.ts';
import type { FileStore } from './filesystem-store.ts';
import { FilesystemView, readOnlyWriter } from './filesystem-view.ts';
import type { Filesystem } from './filesystem.ts';
import type { ResourceTransaction, Transactional } from './resource-transaction.ts';

/** A filesystem whose calls can be undone one by one; what is written to it directly is there for good. */
export class TransactionalFilesystem<Image extends object> extends FilesystemView implements Transactional<Filesystem> {
  readonly #store: FileStore<Image>;
  readonly #journal: FilesystemJournal<Image>;

  constructor(store: FileStore<Image>) {
    const journal = new FilesystemJournal(store);
    super(store, journal.writer());
    this.#store = store;
    this.#journal = journal;
  }

  /** Writes show at once, to everybody; a rollback takes back those of this transaction alone. */
  begin(): ResourceTransaction<Filesystem> {
    return this.#open(undefined);
  }

  readOnlyView(): Filesystem {
    return new FilesystemView(this.#store, readOnlyWriter);
  }

  #open(outer: JournalTransaction | undefined): ResourceTransaction<Filesystem> {
    const transaction = this.#journal.begin(outer);
    return {
      view: new FilesystemView(this.#store, this.#journal.writer(transaction)),
      commit: () => this.#journal.commit(transaction),
      rollback: () => this.#journal.rollback(transaction),
      begin: () => this.#open(transaction),
    };
  }
}
