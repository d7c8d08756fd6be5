import type { ResourceTransaction, RollbackConflict, Snapshotable } from './resource-transaction.ts';

/** Transactions on resources that can only be put back as a whole: calls that overlap never undo each other. */
export class ResourceSnapshots {
  readonly #openByResource = new WeakMap<object, Set<SnapshotTransaction>>();

  begin(resource: Snapshotable<unknown>): ResourceTransaction {
    const open = this.#openByResource.get(resource) ?? new Set();
    this.#openByResource.set(resource, open);
    return new SnapshotTransaction(resource, open);
  }
}

class SnapshotTransaction implements ResourceTransaction {
  readonly view: Snapshotable<unknown>;
  readonly #open: Set<SnapshotTransaction>;
  readonly #outer: SnapshotTransaction | undefined;
  readonly #snapshot: unknown;
  #isShared = false;

  constructor(resource: Snapshotable<unknown>, open: Set<SnapshotTransaction>, outer?: SnapshotTransaction) {
    this.view = resource;
    this.#open = open;
    this.#outer = outer;
    this.#snapshot = resource.snapshot();
    for (const other of open) {
      // Whoever waits for this call takes part in it.
      if (this.#isInside(other)) continue;
      other.#share();
      this.#share();
    }
    open.add(this);
  }

  begin(): ResourceTransaction {
    return new SnapshotTransaction(this.view, this.#open, this);
  }

  commit(): void {
    this.#open.delete(this);
  }

  async rollback(): Promise<readonly RollbackConflict[]> {
    try {
      if (this.#isShared) return [{ reason: 'shared' }];
      await this.view.restore(this.#snapshot);
      return [];
    } finally {
      this.#open.delete(this);
    }
  }

  #share(): void {
    this.#isShared = true;
  }

  #isInside(other: SnapshotTransaction): boolean {
    if (this.#outer === undefined) return false;
    return this.#outer === other || this.#outer.#isInside(other);
  }
}
