import { HostFileStore } from './host-filesystem-store.ts';
import type { HostImage } from './host-filesystem-images.ts';
import { TransactionalFilesystem } from './filesystem-transaction.ts';

export interface HostFilesystemOptions {
  /** The folder whose files may be used; it must be there. */
  readonly root: string;
  /** Where large files are kept until their call is over; the system's folder for temporary files if not given. */
  readonly spillFolder?: string;
}

/** A folder of this machine; servers see what a tool writes at once, and a failed call never touches what it did not write. */
export class HostFilesystem extends TransactionalFilesystem<HostImage> implements AsyncDisposable {
  readonly #store: HostFileStore;

  constructor(options: HostFilesystemOptions) {
    const store = new HostFileStore(options.root, options.spillFolder);
    super(store);
    this.#store = store;
  }

  /** Removes what was kept aside for transactions that never ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.settle();
  }
}
