import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { behindShell, node, treeLaunches } from '../../test/fixtures/processes/launches.ts';
import type { TreeName } from '../../test/fixtures/processes/launches.ts';
import { livingWith } from '../../test/fixtures/processes/living-with.ts';
import { openChannel } from '../../test/fixtures/processes/open-channel.ts';
import { availableWays } from '../../test/fixtures/processes/ways.ts';
import { commandLineOf } from '../../test/fixtures/processes.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { until } from '../../test/fixtures/until.ts';
import { ProcessHost } from './process-host.ts';

const GRACE_MS = 2000;
const trees = Object.keys(treeLaunches) as TreeName[];

for (const way of await availableWays()) {
  describe(`with pid namespaces ${way}`, () => {
    // Without a namespace the daemon that clears its environment is the one process that cannot be found again.
    test.each(way === 'off' ? trees.filter((tree) => tree !== 'escaping') : trees)(
      '[S3.stdio-kill] nothing of a %s tree is left after close',
      async (tree) => {
        const word = randomUUID();
        const clock = new ManualClock();
        await using host = new ProcessHost({ pidNamespace: way });
        const channel = await openChannel({ host, server: treeLaunches[tree].launch(word), clock });
        await channel.ready;
        await until(() => livingWith(word).length >= treeLaunches[tree].processes, { describe: 'the tree is up' });
        await whileTimePasses(clock, channel.transport.close());
        expect(livingWith(word)).toEqual([]);
        expect(clock.pending).toBe(0);
      },
    );

    test('asks by end of input, then by SIGTERM, then kills', async () => {
      await using folder = await openTemporaryFolder();
      const clock = new ManualClock();
      await using host = new ProcessHost({ pidNamespace: way });
      const server = node('recording-server.mjs', folder.file('asked'));
      const channel = await openChannel({ host, server, clock, limits: { closeGraceMs: GRACE_MS } });
      await channel.ready;
      const closing = channel.transport.close();
      await until(() => folder.lines('asked').length === 1, { describe: 'the input has ended' });
      expect(folder.lines('asked')).toEqual(['eof']);
      await clock.advance(GRACE_MS);
      await until(() => folder.lines('asked').length === 2, { describe: 'SIGTERM has come' });
      expect(folder.lines('asked')).toEqual(['eof', 'term']);
      expect(channel.seen).not.toContain('closed');
      await until(() => clock.pending > 0, { describe: 'the second wait has begun' });
      await clock.advance(GRACE_MS);
      await closing;
      expect(channel.seen.at(-1)).toBe('closed');
    });

    test('does not wait for a server that goes when its input ends', async () => {
      const clock = new ManualClock();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server: node('scripted-server.mjs'), clock });
      await channel.ask(1, 'echo');
      await channel.answer(1);
      await channel.transport.close();
      expect(clock.monotonic()).toBe(0);
      expect(channel.transport.ending).toEqual({ kind: 'closed' });
    });

    test('does not wait after a SIGTERM that nobody would notice, or that ends the server', async () => {
      const clock = new ManualClock();
      await using host = new ProcessHost({ pidNamespace: way });
      const word = `0.${randomInt(1e9)}`;
      const server = { kind: 'stdio', command: 'sleep', args: ['60', word], env: {} } as const;
      const channel = await openChannel({ host, server, clock, limits: { closeGraceMs: GRACE_MS } });
      await until(() => livingWith(word).some((pid) => commandLineOf(pid)[0]?.endsWith('sleep')), {
        describe: 'it sleeps',
      });
      const closing = channel.transport.close();
      await until(() => clock.pending > 0, { describe: 'the first wait has begun' });
      await clock.advance(GRACE_MS);
      await closing;
      expect(clock.monotonic()).toBe(GRACE_MS);
    });

    test('gives a server time to tidy up though the shell before it is gone at once', async () => {
      await using folder = await openTemporaryFolder();
      const clock = new ManualClock();
      await using host = new ProcessHost({ pidNamespace: way });
      const server = behindShell('tidy-server.mjs', folder.file('notes'));
      const channel = await openChannel({ host, server, clock, limits: { closeGraceMs: GRACE_MS } });
      await channel.ready;
      const closing = channel.transport.close();
      await until(() => clock.pending > 0, { describe: 'the first wait has begun' });
      await clock.advance(GRACE_MS);
      await closing;
      expect(folder.lines('notes')).toEqual(['tidied']);
      expect(clock.monotonic()).toBe(GRACE_MS);
    });

    test('the pid is that of the server itself, while it lives', async () => {
      const word = randomUUID();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server: node('scripted-server.mjs', word) });
      await channel.ask(1, 'echo');
      await channel.answer(1);
      const pid = channel.transport.pid ?? 0;
      expect(commandLineOf(pid)).toEqual([process.execPath, expect.stringContaining('scripted-server.mjs'), word]);
      process.kill(pid, 'SIGKILL');
      await channel.closed;
      expect(channel.transport.pid).toBeUndefined();
      expect(channel.transport.ending).toEqual({ kind: 'exited', exitCode: null, signal: 'SIGKILL' });
    });

    test('what a server leaves behind when it exits by itself is killed too', async () => {
      const word = randomUUID();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server: node('daemon-server.mjs', word) });
      await channel.ready;
      await until(() => livingWith(word).length >= 2, { describe: 'the daemon is up' });
      process.kill(channel.transport.pid ?? 0, 'SIGKILL');
      await channel.closed;
      expect(livingWith(word)).toEqual([]);
    });
  });
}

test('without a namespace a daemon that was forked twice and has no environment survives: nothing tells whose it is', async () => {
  const word = randomUUID();
  await using host = new ProcessHost({ pidNamespace: 'off' });
  const channel = await openChannel({ host, server: treeLaunches.escaping.launch(word) });
  await channel.ready;
  await until(() => livingWith(word).length === 2, { describe: 'the daemon is up' });
  await channel.transport.close();
  const survivors = livingWith(word);
  for (const pid of survivors) process.kill(pid, 'SIGKILL');
  expect(survivors).toHaveLength(1);
});

/** Moves the clock on as long as something takes, so that no real time is waited for. */
async function whileTimePasses(clock: ManualClock, work: Promise<void>): Promise<void> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(clock.nextDelayMs ?? 1);
  await finished;
}
