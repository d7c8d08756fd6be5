import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { DeadlineSet } from './deadline-set.ts';
import type { Dated } from './deadline-set.ts';

test('ends each at its time, on one timer', async () => {
  const { clock, set, ended, item } = open();
  for (const [name, endsAt] of [
    ['b', 200],
    ['a', 100],
    ['c', 200],
  ] as const)
    set.add(item(name, endsAt));
  expect(clock.pending).toBe(1);
  await clock.advance(99);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual(['a']);
  await clock.advance(100);
  expect([ended, clock.pending]).toEqual([['a', 'b', 'c'], 0]);
});

test('waits on for what has moved', async () => {
  const { clock, set, ended, item } = open();
  const moving = item('moving', 100);
  set.add(moving);
  moving.endsAt = 150;
  await clock.advance(149);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual(['moving']);
});

test('keeps no timer when nothing waits', () => {
  const { clock, set, item } = open();
  const [one, other] = [item('one', 100), item('other', 50)];
  set.add(one);
  set.add(other);
  set.delete(other);
  set.delete(one);
  set.delete(one);
  expect(clock.pending).toBe(0);
});

test('ends all before their time when it is closed', () => {
  const { clock, set, ended, item } = open();
  set.add(item('a', 100));
  set.add(item('b', 200));
  set.closeAll();
  expect([ended, clock.pending]).toEqual([['a closed', 'b closed'], 0]);
});

test('what one end sets off may add and end others', async () => {
  const { clock, set, ended, item } = open();
  const late = item('late', 300);
  const first: Dated = {
    endsAt: 100,
    close: () => undefined,
    expire: () => {
      set.delete(first);
      ended.push('first');
      set.add(late);
    },
  };
  set.add(first);
  await clock.advance(100);
  expect([ended, clock.delaysMs]).toEqual([['first'], [200]]);
});

function open(): {
  clock: ManualClock;
  set: DeadlineSet;
  ended: string[];
  item: (name: string, endsAt: number) => { endsAt: number; expire: () => void; close: () => void };
} {
  const clock = new ManualClock();
  const set = new DeadlineSet(clock);
  const ended: string[] = [];
  const item = (name: string, endsAt: number): { endsAt: number; expire: () => void; close: () => void } => {
    const own = {
      endsAt,
      expire: (): void => {
        set.delete(own);
        ended.push(name);
      },
      close: (): void => {
        set.delete(own);
        ended.push(`${name} closed`);
      },
    };
    return own;
  };
  return { clock, set, ended, item };
}
