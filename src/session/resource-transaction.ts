/** A resource that tells the changes of one call from those of others. */
export interface Transactional<View> {
  begin(): ResourceTransaction<View>;
  /** What a read-only call gets: the same view for all of them will do, because nobody can write through it. */
  readOnlyView(): View;
}

/** The changes that one call makes to one resource. */
export interface ResourceTransaction<View = unknown> {
  /** What the call uses in place of the resource, and as such. */
  readonly view: View;
  commit(): void | Promise<void>;
  /** Undoes what was done through the view and nothing else; gives what had to be left as it is. */
  rollback(): readonly RollbackConflict[] | Promise<readonly RollbackConflict[]>;
  /** A transaction inside this one, for a call inside the call; without it the inner call shares this one. */
  begin?(): ResourceTransaction<View>;
}

/** A resource that can be put back as a whole. */
export interface Snapshotable<Snapshot> {
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void | Promise<void>;
}

/** Something that a rollback left alone rather than destroy what others did. */
export interface RollbackConflict {
  /** `shared`: another call used it meanwhile; `changed-outside`: somebody changed it past the resource. */
  readonly reason: 'shared' | 'changed-outside' | 'restore-failed';
  /** The part of the resource, where it has parts: a file's path. */
  readonly part?: string;
  readonly cause?: unknown;
}

/** A conflict, and the resource it is about. */
export interface ResourceConflict extends RollbackConflict {
  /** The name of its key. */
  readonly resource: string;
}

export function isTransactional(value: object): value is Transactional<unknown> {
  return hasMethods(value, ['begin', 'readOnlyView']);
}

export function isSnapshotable(value: object): value is Snapshotable<unknown> {
  return hasMethods(value, ['snapshot', 'restore']);
}

function hasMethods(value: object, names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}
