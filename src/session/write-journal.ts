/** One transaction's last write to a file, and the file before it. */
export interface JournalEntry<Transaction, Image> {
  readonly transaction: Transaction;
  readonly before: Image;
}

/**
 * The open transactions that wrote one file, in the order of their last writes to it.
 * The rule: the file is always as its last write left it, not counting the writes that were rolled back.
 */
export type WriteStack<Transaction, Image> = readonly JournalEntry<Transaction, Image>[];

/** Whether the file must be captured before this transaction writes it. */
export function needsImage<Transaction, Image>(
  stack: WriteStack<Transaction, Image>,
  transaction: Transaction,
): boolean {
  return stack.at(-1)?.transaction !== transaction;
}

/** After a write: the transaction's earlier write, if others came since, is taken out from under them. */
export function recordWrite<Transaction, Image>(
  stack: WriteStack<Transaction, Image>,
  entry: JournalEntry<Transaction, Image>,
): WriteStack<Transaction, Image> {
  return [...rollBack(stack, entry.transaction).stack, entry];
}

/** What a rollback asks for: `restore` is what the file must become again, if it must change at all. */
export interface StackRollback<Transaction, Image> {
  readonly stack: WriteStack<Transaction, Image>;
  readonly restore?: Image;
}

/** Under another write the file stays, and that write inherits the image: undone, it leads back past this one. */
export function rollBack<Transaction, Image>(
  stack: WriteStack<Transaction, Image>,
  transaction: Transaction,
): StackRollback<Transaction, Image> {
  const index = indexOf(stack, transaction);
  const entry = stack[index];
  if (!entry) return { stack };
  const above = stack[index + 1];
  if (!above) return { stack: stack.slice(0, -1), restore: entry.before };
  return { stack: stack.toSpliced(index, 2, { ...above, before: entry.before }) };
}

/** Writes under a committed one can no longer show, whatever becomes of them. */
export function commit<Transaction, Image>(
  stack: WriteStack<Transaction, Image>,
  transaction: Transaction,
): WriteStack<Transaction, Image> {
  return stack.slice(indexOf(stack, transaction) + 1);
}

/** Commits a transaction into the one around it: from now on its write is the outer one's. */
export function commitInto<Transaction, Image>(
  stack: WriteStack<Transaction, Image>,
  inner: Transaction,
  outer: Transaction,
): WriteStack<Transaction, Image> {
  const [innerIndex, outerIndex] = [indexOf(stack, inner), indexOf(stack, outer)];
  if (innerIndex === -1) return stack;
  const earlier = innerIndex < outerIndex ? inner : outer;
  // The later of the two writes shows; the earlier one is taken out from under it.
  const single = outerIndex === -1 ? stack : rollBack(stack, earlier).stack;
  return single.map((entry) => (entry.transaction === inner ? { ...entry, transaction: outer } : entry));
}

function indexOf<Transaction, Image>(stack: WriteStack<Transaction, Image>, transaction: Transaction): number {
  return stack.findIndex((entry) => entry.transaction === transaction);
}
