import { property, assert, array, record, constantFrom, nat } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commit, commitInto, needsImage, recordWrite, rollBack } from './write-journal.ts';
import type { WriteStack } from './write-journal.ts';

type Stack = WriteStack<string, string>;

/** A wrote over zero, B over A, C over B. */
const three: Stack = [
  { transaction: 'A', before: 'zero' },
  { transaction: 'B', before: 'a' },
  { transaction: 'C', before: 'b' },
];

describe('a write', () => {
  test('needs an image unless the transaction was the last to write', () => {
    expect(['A', 'B', 'C', 'D'].map((transaction) => needsImage(three, transaction))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(needsImage([], 'A')).toBe(true);
  });

  test('lies on top of all others', () => {
    expect(recordWrite(three, { transaction: 'D', before: 'c' })).toEqual([
      ...three,
      { transaction: 'D', before: 'c' },
    ]);
  });

  test('takes the place of an earlier one of the same transaction', () => {
    expect(recordWrite(three, { transaction: 'A', before: 'c' })).toEqual([
      { transaction: 'B', before: 'zero' },
      { transaction: 'C', before: 'b' },
      { transaction: 'A', before: 'c' },
    ]);
  });
});

describe('a rollback', () => {
  test('on top restores the image', () => {
    expect(rollBack(three, 'C')).toEqual({ stack: three.slice(0, 2), restore: 'b' });
  });

  test('under another write changes nothing and hands its image up', () => {
    expect(rollBack(three, 'B')).toEqual({
      stack: [
        { transaction: 'A', before: 'zero' },
        { transaction: 'C', before: 'a' },
      ],
    });
  });

  test('of a transaction that did not write changes nothing', () => {
    expect(rollBack(three, 'D')).toEqual({ stack: three });
  });
});

describe('a commit', () => {
  test('is never undone by those below it, nor forgotten by those above', () => {
    expect(commit(three, 'B')).toEqual([{ transaction: 'C', before: 'b' }]);
    expect(commit(three, 'D')).toEqual(three);
  });

  test.each([
    ['the outer one wrote before', 'C', 'A', ['B:zero', 'A:b']],
    ['the outer one wrote since', 'A', 'C', ['B:zero', 'C:b']],
    ['the outer one did not write', 'B', 'D', ['A:zero', 'D:a', 'C:b']],
    ['the inner one did not write', 'D', 'A', ['A:zero', 'B:a', 'C:b']],
  ])('into the one around it gives it the write, when %s', (_, inner, outer, expected) => {
    const stack = commitInto(three, inner, outer);
    expect(stack.map(({ transaction, before }) => `${transaction}:${before}`)).toEqual(expected);
  });
});

test('the file is always as the last write left it that was not rolled back', () => {
  const transactions = ['A', 'B', 'C'];
  const step = record({
    transaction: constantFrom(...transactions),
    action: constantFrom('write', 'write', 'write', 'commit', 'roll back'),
    content: nat(),
  });
  assert(
    property(array(step, { maxLength: 20 }), (steps) => {
      let stack: WriteStack<string, number> = [];
      let file = -1;
      let writes: { readonly transaction: string; readonly content: number }[] = [];
      for (const { transaction, action, content } of steps) {
        if (action === 'write') {
          if (needsImage(stack, transaction)) stack = recordWrite(stack, { transaction, before: file });
          file = content;
          writes.push({ transaction, content });
        } else if (action === 'commit') {
          stack = commit(stack, transaction);
          // A new transaction may have the same name.
          writes = writes.map((write) =>
            write.transaction === transaction ? { ...write, transaction: 'done' } : write,
          );
        } else {
          const undone = rollBack(stack, transaction);
          stack = undone.stack;
          file = undone.restore ?? file;
          writes = writes.filter((write) => write.transaction !== transaction);
        }
        expect(file).toBe(writes.at(-1)?.content ?? -1);
      }
    }),
  );
});
