import { expect, test } from 'vitest';
import type { ToolInvoked } from '../call/tool-invoked.ts';
import { InProcessDispatcher, InProcessEventBus } from './dispatcher.ts';

const event: ToolInvoked = {
  type: 'tool-invoked',
  at: 1000,
  callId: 'call',
  sessionId: 'session',
  name: 'mcp__files__read',
  adapter: 'code',
  params: {},
  result: { success: true, outcome: 'ok', message: 'Success', content: [] },
  outcome: 'ok',
  source: 'mcp',
  mcpServer: 'files',
  durationMs: 5,
};

test('hands an event to everybody who subscribed, before dispatch returns, until they stop', () => {
  const dispatcher = new InProcessDispatcher();
  const heard: unknown[] = [];
  const stop = dispatcher.subscribe('tool-invoked', (given) => heard.push(['first', given]));
  dispatcher.subscribe('tool-invoked', (given) => heard.push(['second', given]));
  dispatcher.dispatch('tool-invoked', event);
  stop();
  dispatcher.dispatch('tool-invoked', event);
  expect(heard).toEqual([
    ['first', event],
    ['second', event],
    ['second', event],
  ]);
});

test('a subscriber that throws is reported, and the others hear the event', () => {
  const errors: unknown[] = [];
  const heard: unknown[] = [];
  const dispatcher = new InProcessDispatcher((error) => errors.push(error));
  const broken = new Error('broken');
  dispatcher.subscribe('tool-invoked', () => {
    throw broken;
  });
  dispatcher.subscribe('tool-invoked', (given) => heard.push(given));
  dispatcher.dispatch('tool-invoked', event);
  expect({ errors, heard }).toEqual({ errors: [broken], heard: [event] });
});

test('an event that is not ours reaches those who asked for its type, with its fields', () => {
  interface TaskDone {
    readonly type: 'task-done';
    readonly task: string;
  }
  const done: TaskDone = { type: 'task-done', task: 'write' };
  const dispatcher = new InProcessDispatcher();
  const heard: string[] = [];
  dispatcher.subscribe('task-done', ({ task }: TaskDone) => heard.push(task));
  dispatcher.subscribe('task-dropped', () => heard.push('never'));
  dispatcher.dispatch('task-done', done);
  // @ts-expect-error -- a type of ours carries an event of ours
  const wrong = (): void => dispatcher.dispatch('tool-invoked', { type: 'tool-invoked', task: 'write' });
  // @ts-expect-error -- the type under which an event goes is its own
  const other = (): void => dispatcher.dispatch('task-dropped', done);
  expect([heard, typeof wrong, typeof other]).toEqual([['write'], 'function', 'function']);
});

test('a bus is a dispatcher', () => {
  const bus: InProcessEventBus = new InProcessEventBus();
  expect(bus).toBeInstanceOf(InProcessDispatcher);
});
