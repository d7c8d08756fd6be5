import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { systemClock } from '../clock.ts';
import { Gate } from './gate.ts';

const live = (): AbortSignal => new AbortController().signal;

/** A task that runs until it is told to end. */
class HeldTask {
  isRunning = false;
  #end: () => void = () => undefined;

  readonly run = async (): Promise<string> => {
    this.isRunning = true;
    await new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    this.isRunning = false;
    return 'done';
  };

  async end(): Promise<void> {
    this.#end();
    await settle();
  }
}

const running = (tasks: readonly HeldTask[]): readonly boolean[] => tasks.map((task) => task.isRunning);

test('runs as many at once as it may, and the others in the order in which they came', async () => {
  const gate = new Gate(2, systemClock);
  const tasks = Array.from({ length: 4 }, () => new HeldTask());
  const results = Promise.all(tasks.map((task) => gate.run(task.run, live())));
  await settle();
  expect(running(tasks)).toEqual([true, true, false, false]);
  await tasks[1]?.end();
  expect(running(tasks)).toEqual([true, false, true, false]);
  await tasks[0]?.end();
  expect(running(tasks)).toEqual([false, false, true, true]);
  for (const task of tasks) await task.end();
  expect(await results).toEqual(['done', 'done', 'done', 'done']);
});

test('a task that fails makes room like any other, and its error reaches who asked', async () => {
  const gate = new Gate(1, systemClock);
  const failing = gate.run(() => Promise.reject(new Error('broken')), live());
  const next = gate.run(async () => 'ran', live());
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('ran');
});

test('a task that throws at once makes room too', async () => {
  const gate = new Gate(1, systemClock);
  const throwing = (): Promise<never> => {
    throw new Error('at once');
  };
  await expect(gate.run(throwing, live())).rejects.toThrow('at once');
  expect(await gate.run(async () => 'ran', live())).toBe('ran');
});

test('who gives up before is not let in', async () => {
  let ran = false;
  const task = async (): Promise<void> => {
    ran = true;
  };
  await expect(new Gate(1, systemClock).run(task, AbortSignal.abort('gone'))).rejects.toBe('gone');
  expect(ran).toBe(false);
});

test('who gives up while waiting is passed over, and those behind move up', async () => {
  const gate = new Gate(1, systemClock);
  const [first, second, third] = [new HeldTask(), new HeldTask(), new HeldTask()];
  const leaver = new AbortController();
  void gate.run(first.run, live());
  const leaving = gate.run(second.run, leaver.signal);
  void gate.run(third.run, live());
  leaver.abort('enough');
  await expect(leaving).rejects.toBe('enough');
  expect(getEventListeners(leaver.signal, 'abort')).toEqual([]);
  await first.end();
  expect(running([first, second, third])).toEqual([false, false, true]);
  await third.end();
});

test('who was let in after a wait keeps the place if the signal aborts then, and so do those who still wait', async () => {
  const gate = new Gate(1, systemClock);
  const [first, second, third] = [new HeldTask(), new HeldTask(), new HeldTask()];
  const controller = new AbortController();
  void gate.run(first.run, live());
  const done = gate.run(second.run, controller.signal);
  void gate.run(third.run, live());
  await settle();
  await first.end();
  controller.abort();
  await settle();
  expect(running([second, third])).toEqual([true, false]);
  await second.end();
  expect([await done, ...running([second, third])]).toEqual(['done', false, true]);
  await third.end();
});

test('whoever comes, fails or gives up, the limit holds and everybody who stays gets in', async () => {
  const visit = fc.record({ turns: fc.nat({ max: 3 }), outcome: fc.constantFrom('done', 'broken', 'given up') });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(visit, { maxLength: 12 }), async (limit, visits) => {
      const gate = new Gate(limit, systemClock);
      let inside = 0;
      let most = 0;
      const outcomes = visits.map(async ({ turns, outcome }) => {
        const controller = new AbortController();
        const task = async (): Promise<string> => {
          inside += 1;
          most = Math.max(most, inside);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          inside -= 1;
          if (outcome === 'broken') throw new Error('broken');
          return 'done';
        };
        const run = gate
          .run(task, controller.signal)
          .catch((error: unknown) => (error === 'given up' ? 'given up' : 'broken'));
        if (outcome === 'given up') controller.abort('given up');
        return run;
      });
      const ended = await Promise.all(outcomes);
      expect(most).toBeLessThanOrEqual(limit);
      expect(inside).toBe(0);
      expect(
        ended.every((result, index) => result === visits[index]?.outcome || visits[index]?.outcome === 'given up'),
      ).toBe(true);
    }),
  );
});

test('a task that hangs gives up its place after a while', async () => {
  const clock = new ManualClock();
  const gate = new Gate(1, clock);
  const { signal } = new AbortController();
  void gate.run(() => new Promise(() => undefined), signal);
  let hasRun = false;
  const second = gate.run(async () => {
    hasRun = true;
  }, signal);
  await clock.advance(2_999);
  expect(hasRun).toBe(false);
  await clock.advance(1);
  await second;
  expect(hasRun).toBe(true);
});
