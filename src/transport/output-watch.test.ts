import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { until } from '../../test/fixtures/until.ts';
import { OutputWatch } from './output-watch.ts';
import { hasUsableProc, livingTree } from './process-tree.ts';

const LOOK_MS = 250;

test.runIf(hasUsableProc())(
  'an output that nobody holds is told of only when that is so for a while: a server that ends says more',
  async () => {
    // A shell that keeps the pipe, and a server behind it that has let go of it.
    const { pid = 0 } = spawn('sh', ['-c', 'sleep 60 >/dev/null & wait'], { detached: true });
    onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
    const tree = { leaders: [pid], mark: randomUUID() };
    await until(async () => (await livingTree(tree)).length === 2, { describe: 'shell and server run' });
    const clock = new ManualClock();
    let told = 0;
    const watch = new OutputWatch({
      wrapper: pid,
      isWrapper: (each) => each === pid,
      serverPid: () => undefined,
      tree,
      clock,
      onClosed: () => {
        told += 1;
      },
    });
    await clock.advance(LOOK_MS);
    await until(() => clock.delaysMs.length === 1, { describe: 'it looks again' });
    expect(told).toBe(0);
    await clock.advance(LOOK_MS);
    await until(() => told === 1, { describe: 'it is told' });
    watch.stop();
  },
);
