import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { alive } from '../../test/fixtures/processes.ts';
import { systemClock } from '../clock.ts';
import { killTree, livingTree } from './process-tree.ts';

test('finds a process by its mark alone, and kills only what is marked', async () => {
  const mark = randomUUID();
  const marked = startSleep({ FAIRLEAD_OWNER: `outer/1 ${mark}/1` });
  const stranger = startSleep({ FAIRLEAD_OWNER: `${randomUUID()}/1` });
  const query = { leaders: [], mark };
  expect((await livingTree(query)).map(({ pid }) => pid)).toEqual([marked]);
  expect(await killTree(query, systemClock)).toEqual([]);
  const left = [marked, stranger].filter(alive);
  process.kill(stranger, 'SIGKILL');
  expect(left).toEqual([stranger]);
});

test('has nothing to kill where nothing is', async () => {
  expect(await killTree({ leaders: [], mark: randomUUID() }, systemClock)).toEqual([]);
});

function startSleep(env: Readonly<Record<string, string>>): number {
  const child = spawn('sleep', ['60'], { detached: true, env: { ...env, PATH: process.env['PATH'] }, stdio: 'ignore' });
  child.unref();
  return child.pid ?? 0;
}
