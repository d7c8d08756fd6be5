import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { alive } from '../../test/fixtures/processes.ts';
import { until } from '../../test/fixtures/until.ts';
import { killGroup, signalGroup } from './process-group.ts';

test('kills every process of a group, and does not mind that it is empty', async () => {
  const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const leader = shell.pid ?? 0;
  const member = await new Promise<number>((resolve) => {
    shell.stdout.once('data', (text: Buffer) => resolve(Number(text)));
  });
  killGroup(leader);
  await until(() => !alive(leader) && !alive(member), { describe: 'the group is gone' });
  expect(() => signalGroup(leader, 'SIGTERM')).not.toThrow();
});
