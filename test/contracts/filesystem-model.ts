import { array, constantFrom, nat, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';

export const PATHS: readonly string[] = ['one.txt', 'two.txt', 'folder/three.txt'];
export const INITIAL: Readonly<Record<string, string>> = { 'one.txt': 'as it was' };

export type TransactionName = 'A' | 'B' | 'C' | 'inside A';

/** One thing that one transaction does. */
export interface Step {
  readonly transaction: TransactionName;
  readonly action: 'write' | 'delete' | 'commit' | 'roll back';
  readonly path: string;
  readonly content: string;
}

export const steps: Arbitrary<Step[]> = array(
  record({
    transaction: constantFrom<TransactionName>('A', 'B', 'C', 'inside A', 'inside A'),
    action: constantFrom<Step['action']>('write', 'write', 'write', 'delete', 'commit', 'roll back'),
    path: constantFrom(...PATHS),
    content: nat({ max: 99 }).map(String),
  }),
  { minLength: 1, maxLength: 16 },
);

/**
 * What the files must be: at every moment, each is as the last write or deletion left it, in the order in which they
 * were made, not counting those of transactions that were rolled back; what an inner transaction wrote belongs to
 * the outer one once it is committed. In the end only committed changes are left, and of two committed ones the one
 * that was made last.
 */
export class FilesystemModel {
  #changes: Change[] = Object.entries(INITIAL).map(([path, content]) => ({ path, content, owner: undefined }));

  contents(): Record<string, string | undefined> {
    return Object.fromEntries(PATHS.map((path) => [path, this.#content(path)]));
  }

  change(path: string, content: string | undefined, owner: TransactionName): void {
    if (content === undefined && this.#content(path) === undefined) return;
    this.#changes.push({ path, content, owner });
  }

  commit(transaction: TransactionName): void {
    const owner = transaction === 'inside A' ? 'A' : undefined;
    this.#changes = this.#changes.map((change) => (change.owner === transaction ? { ...change, owner } : change));
  }

  rollBack(transaction: TransactionName): void {
    this.#changes = this.#changes.filter(({ owner }) => owner !== transaction);
  }

  #content(path: string): string | undefined {
    return this.#changes.findLast((change) => change.path === path)?.content;
  }
}

interface Change {
  readonly path: string;
  readonly content: string | undefined;
  /** Undefined when it is there for good. */
  readonly owner: TransactionName | undefined;
}
