import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { node, treeLaunches } from '../../test/fixtures/processes/launches.ts';
import type { TreeName } from '../../test/fixtures/processes/launches.ts';
import { livingWith } from '../../test/fixtures/processes/living-with.ts';
import { openChannel } from '../../test/fixtures/processes/open-channel.ts';
import { ownWatchdogs } from '../../test/fixtures/processes/own-watchdogs.ts';
import { availableWays } from '../../test/fixtures/processes/ways.ts';
import type { Way } from '../../test/fixtures/processes/ways.ts';
import { alive } from '../../test/fixtures/processes.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { until } from '../../test/fixtures/until.ts';
import { silentLogger } from '../logger.ts';
import { minimalEnvironment } from './child-environment.ts';
import { ProcessHost } from './process-host.ts';
import { Watchdog } from './watchdog.ts';

const HUB = fileURLToPath(new URL('../../test/fixtures/processes/hub-process.mjs', import.meta.url));
const WATCHING = fileURLToPath(new URL('../../test/fixtures/processes/watching-process.mjs', import.meta.url));
const env = minimalEnvironment(process.env);
const trees = Object.keys(treeLaunches) as TreeName[];

for (const way of await availableWays()) {
  describe(`with pid namespaces ${way}`, () => {
    const held = way === 'off' ? trees.filter((tree) => tree !== 'escaping') : trees;

    test('[S3.stdio-kill] nothing is left of any server after our own SIGKILL', async () => {
      const hub = await startHub(way, held);
      await until(() => hub.isUp(), { describe: 'every tree is up' });
      process.kill(hub.pid, 'SIGKILL');
      await until(() => hub.living().length === 0, { describe: 'every server is gone' });
    });

    test.each(['exit', 'throw'] as const)(
      '[S3.stdio-kill] nothing is left when our process ends by %s',
      async (end) => {
        const hub = await startHub(way, ['sticky', 'daemon'], end);
        await until(() => !alive(hub.pid), { describe: 'the hub has ended' });
        await until(() => hub.living().length === 0, { describe: 'every server is gone' });
      },
    );

    test('[S3.stdio-kill] the servers of a hub inside a server go with it', async () => {
      const word = randomUUID();
      const plan = { pidNamespace: way, servers: [treeLaunches.sticky.launch(word), treeLaunches.daemon.launch(word)] };
      await using host = new ProcessHost({ pidNamespace: way });
      const inner = await openChannel({
        host,
        server: node('hub-process.mjs', JSON.stringify(plan)),
        limits: { closeGraceMs: 1 },
      });
      await until(() => inner.transport.droppedMessages === 1, { describe: 'the inner hub has said that it is ready' });
      expect(livingWith(word).length).toBeGreaterThanOrEqual(3);
      await inner.transport.close();
      await until(() => livingWith(word).length === 0, { describe: 'the servers of the inner hub are gone' });
    });

    test('does not keep our process from ending', async () => {
      const hub = await startHub(way, ['daemon'], 'close-servers');
      await until(() => !alive(hub.pid), { describe: 'the hub has ended by itself' });
      expect(hub.living()).toEqual([]);
    });
  });
}

test('signals from a terminal or a service manager do not end it while we live', async () => {
  const watchdog = new Watchdog({ mark: randomUUID(), env, logger: silentLogger });
  const pid = watchdog.pid ?? 0;
  await until(() => ignoresSignals(pid), { describe: 'the watchdog is up' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  const child = startLingering();
  watchdog.add(child);
  await watchdog.close();
  expect(watchdog.pid).toBe(pid);
  expect([alive(child), alive(pid)]).toEqual([false, false]);
});

describe.each(['/bin/sh', '/there/is/no/shell'])('waiting in %s', (shell) => {
  test('[S3.stdio-kill] kills what it was told of and not told to forget, once we are dead', async () => {
    const [watched, forgotten] = [startLingering(), startLingering()];
    await dieWatching({ shell, watched: [forgotten, watched], forgotten: [forgotten] });
    await until(() => !alive(watched), { describe: 'the watched process is gone' });
    expect(alive(forgotten)).toBe(true);
    process.kill(forgotten, 'SIGKILL');
  });

  test('[S3.stdio-kill] is started again when it is killed, and remembers what it watches', async () => {
    const watched = startLingering();
    await dieWatching({ shell, watched: [watched], forgotten: [], killed: true });
    await until(() => !alive(watched), { describe: 'the watched process is gone' });
  });

  test('closing kills what is left, and lets it go', async () => {
    const watchdog = new Watchdog({ mark: randomUUID(), env, logger: silentLogger, shell });
    const [pid = 0, child] = [watchdog.pid, startLingering()];
    watchdog.add(child);
    await watchdog.close();
    expect([alive(child), alive(pid)]).toEqual([false, false]);
  });
});

test('says so when it cannot be kept alive', async () => {
  const logger = new RecordingLogger();
  const watchdog = new Watchdog({ mark: randomUUID(), env, logger });
  await until(
    () => {
      if (watchdog.pid !== undefined && alive(watchdog.pid)) process.kill(watchdog.pid, 'SIGKILL');
      return logger.lines.length > 0;
    },
    { describe: 'the watchdog is given up' },
  );
  expect(logger.messages()).toEqual(['the watchdog keeps dying; servers may outlive this process if it is killed']);
  await watchdog.close();
});

test('carries no mark itself, and leaves when the host is closed', async () => {
  const parentEnv = { ...env, FAIRLEAD_OWNER: 'outer/1' };
  const host = new ProcessHost({ parentEnv, pidNamespace: 'off' });
  const before = ownWatchdogs();
  const channel = await openChannel({ host, server: node('scripted-server.mjs') });
  const started = ownWatchdogs().filter((pid) => !before.includes(pid));
  expect(started).toHaveLength(1);
  expect(started.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('FAIRLEAD_OWNER'))).toEqual([
    false,
  ]);
  await channel.transport.close();
  await host.close();
  expect(started.filter(alive)).toEqual([]);
});

test('a host that starts no server starts no watchdog', async () => {
  const before = ownWatchdogs();
  await using host = new ProcessHost();
  await host.namespaceProbe();
  expect(ownWatchdogs()).toEqual(before);
});

interface HeldHub {
  readonly pid: number;
  isUp(): boolean;
  living(): readonly number[];
}

/** A process of its own that holds servers, and has heard from each of them. */
async function startHub(way: Way, names: readonly TreeName[], end?: string): Promise<HeldHub> {
  const words = new Map(names.map((name) => [name, randomUUID()]));
  const servers = [...words].map(([name, word]) => treeLaunches[name].launch(word));
  const hub = spawn(process.execPath, [HUB, JSON.stringify({ pidNamespace: way, servers, end })], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(hub.stdout, 'data');
  return {
    pid: hub.pid ?? 0,
    isUp: () => [...words].every(([name, word]) => livingWith(word).length >= treeLaunches[name].processes),
    living: () => [...words.values()].flatMap(livingWith),
  };
}

function startLingering(): number {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  child.unref();
  return child.pid ?? 0;
}

/** A process of its own that has a watchdog watch, and is killed. */
async function dieWatching(plan: object): Promise<void> {
  const hub = spawn(process.execPath, [WATCHING, JSON.stringify(plan)], { stdio: 'ignore' });
  await once(hub, 'exit');
}

function ignoresSignals(pid: number): boolean {
  const mask = /^SigIgn:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0';
  const [hangUp, interrupt, terminate] = [1n << 0n, 1n << 1n, 1n << 14n];
  return (BigInt(`0x${mask}`) & (hangUp | interrupt | terminate)) === (hangUp | interrupt | terminate);
}
