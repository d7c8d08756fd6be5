import { MemoryFileStore } from './memory-filesystem-store.ts';
import type { MemoryImage } from './memory-filesystem-store.ts';
import { TransactionalFilesystem } from './filesystem-transaction.ts';

/** A filesystem that is gone with the process; folders are there as long as files are in them. */
export class MemoryFilesystem extends TransactionalFilesystem<MemoryImage> {
  /** Starts with these texts, by path. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    super(new MemoryFileStore(files));
  }
}
