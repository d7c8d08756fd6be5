import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { node, treeLaunches } from '../../test/fixtures/processes/launches.ts';
import { livingWith } from '../../test/fixtures/processes/living-with.ts';
import { openChannel } from '../../test/fixtures/processes/open-channel.ts';
import type { Channel } from '../../test/fixtures/processes/open-channel.ts';
import { ownWatchdogs } from '../../test/fixtures/processes/own-watchdogs.ts';
import { availableWays } from '../../test/fixtures/processes/ways.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { until } from '../../test/fixtures/until.ts';
import { McpConnectionError } from '../errors.ts';
import { ProcessHost } from './process-host.ts';

const MARK = /^[0-9a-f-]{36}\/\d+$/;

for (const way of await availableWays()) {
  describe(`with pid namespaces ${way}`, () => {
    test("[S1.multiple] servers see neither each other's environment nor ours", async () => {
      const parentEnv = {
        PATH: process.env['PATH'],
        HOME: '/home/me',
        GITHUB_TOKEN: 'planted-secret',
        NODE_OPTIONS: '--trace-exit',
      };
      await using host = new ProcessHost({ parentEnv, pidNamespace: way });
      const [first, second] = await Promise.all([
        openChannel({
          host,
          server: { ...node('scripted-server.mjs'), env: { API_KEY: 'first-key', 'odd.name-1': 'a b\nc' } },
        }),
        openChannel({
          host,
          server: { ...node('scripted-server.mjs'), env: { API_KEY: 'second-key', HOME: '/elsewhere' } },
        }),
      ]);
      const [one, two] = await Promise.all([result(first, 'environment'), result(second, 'environment')]);
      const shared = { PATH: parentEnv.PATH, FAIRLEAD_OWNER: expect.stringMatching(MARK) as string };
      expect(one).toEqual({ ...shared, HOME: '/home/me', API_KEY: 'first-key', 'odd.name-1': 'a b\nc' });
      expect(two).toEqual({ ...shared, HOME: '/elsewhere', API_KEY: 'second-key' });
    });

    test('[S1.stdio] arguments and working directory arrive as they are, without a shell', async () => {
      await using folder = await openTemporaryFolder();
      await using host = new ProcessHost({ pidNamespace: way });
      const args = ['$HOME', '$(id)', 'a b', '"', "'", '', '*', '--', '-n', 'ü\n2'];
      const channel = await openChannel({
        host,
        server: { ...node('scripted-server.mjs', ...args), cwd: folder.path },
      });
      expect(await result(channel, 'arguments')).toEqual({ argv: args, cwd: folder.path });
    });

    test('closing kills what still runs, may be asked for twice, and lets nothing start after it', async () => {
      const word = randomUUID();
      const host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server: treeLaunches.runner.launch(word) });
      await channel.ready;
      await Promise.all([host.close(), host.close()]);
      expect(livingWith(word)).toEqual([]);
      await channel.closed;
      expect(await failureOf(host, { command: 'sh' })).toEqual({
        code: 'SPAWN_FAILED',
        transport: 'stdio: sh',
        message: "files: 'sh' could not be started: the hub is closed",
      });
    });

    test('a server that is being started while the host closes does not stay', async () => {
      const word = randomUUID();
      const host = new ProcessHost({ pidNamespace: way });
      const before = ownWatchdogs();
      const starting = host
        .spawn({ server: 'files', transport: treeLaunches.sticky.launch(word) })
        .catch((error: unknown) => error);
      await host.close();
      expect(await starting).toBeInstanceOf(McpConnectionError);
      await until(() => livingWith(word).length === 0, { describe: 'nothing of it runs' });
      expect(ownWatchdogs()).toEqual(before);
    });

    test('what the system refuses to start is a typed error that quotes no argument', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      const code = 'SPAWN_FAILED';
      expect(await failureOf(host, { command: 'sh', args: ['secret\0value'] })).toEqual({
        code,
        transport: 'stdio: sh',
        message: "files: 'sh' could not be started: ERR_INVALID_ARG_VALUE",
      });
      expect(await failureOf(host, { command: 'sh', args: ['x'.repeat(10_000_000)] })).toEqual({
        code,
        transport: 'stdio: sh',
        message: "files: 'sh' could not be started: E2BIG",
      });
    });
  });
}

test('a missing command is told before anything is started', async () => {
  await using host = new ProcessHost({ parentEnv: { PATH: '/nowhere' }, pidNamespace: 'off' });
  expect(await failureOf(host, { command: 'nosuch' })).toEqual({
    code: 'COMMAND_NOT_FOUND',
    transport: 'stdio: nosuch',
    message: "files: command 'nosuch' not found on PATH; install it, or give its full path (searched: /nowhere)",
  });
});

test("a command is looked for on the server's own PATH", async () => {
  await using host = new ProcessHost({ parentEnv: { PATH: '/nowhere' }, pidNamespace: 'off' });
  const failure = await failureOf(host, { command: 'nosuch', env: { PATH: '/own' } });
  expect(failure).toMatchObject({ message: expect.stringContaining('(searched: /own)') });
});

async function result(channel: Channel, method: string): Promise<unknown> {
  await channel.ask(1, method);
  const answer = await channel.answer(1);
  return 'result' in answer ? answer.result : answer;
}

async function failureOf(
  host: ProcessHost,
  given: {
    readonly command: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<unknown> {
  const transport = { kind: 'stdio', args: [], env: {}, ...given } as const;
  const error: unknown = await host.spawn({ server: 'files', transport }).catch((thrown: unknown) => thrown);
  if (!(error instanceof McpConnectionError)) return error;
  return { code: error.code, transport: error.transport, message: error.message };
}
