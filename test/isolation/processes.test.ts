import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Hub, IsolationConfig, McpServer, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import { fixturePath } from '../fixtures/fixture-paths.ts';
import type { FaultyMode } from '../fixtures/fixture-commands.ts';
import { commandLineOf, processesMarked } from '../fixtures/processes.ts';
import { needingSandbox, sandboxGap } from '../fixtures/sandbox-here.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';

const isolation = new IsolationConfig({
  networkPolicy: NetworkPolicy.withDomains('api.github.com'),
  sandbox: new SandboxConfig({ enabled: true }),
});
const HUB = fileURLToPath(new URL('../fixtures/processes/isolated-hub.mjs', import.meta.url));

let servers = 0;

/** A server that can be found by a mark in the environment of all its processes. */
function marked(mode: FaultyMode, options: object = {}): { readonly server: McpServer; readonly mark: string } {
  const mark = `MARK=${process.pid}/${(servers += 1)}`;
  const { command, args } = faulty(mode, { ...options });
  return {
    server: McpServer.stdio('held', command, args, { env: { MARK: mark.slice(5) }, isolation }),
    mark: `${mark}\0`,
  };
}

function programs(mark: string): readonly string[] {
  return processesMarked(mark).map((pid) => commandLineOf(pid)[0]?.split('/').at(-1) ?? '');
}

/** What is put aside for sandboxes, in a temporary folder that only this file uses. */
function boxes(): readonly string[] {
  return readdirSync(tmpdir());
}

describe.skipIf(sandboxGap !== undefined)(needingSandbox('no process of a sandbox is left'), () => {
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await openTemporaryFolder();
  });
  beforeEach(() => vi.stubEnv('TMPDIR', folder.path));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(['healthy', 'ignore-eof-and-term', 'daemon-child'] as const)(
    'after closing a server that is %s',
    async (mode) => {
      const { server, mark } = marked(mode, { children: 2 });
      await using hub = new Hub({ servers: [server] });
      await hub.connect('held');
      expect(programs(mark)).toEqual(expect.arrayContaining(['bwrap', 'node']));
      expect(boxes()).toHaveLength(1);
      await hub.disconnect('held');
      expect(programs(mark)).toEqual([]);
      await hub.close();
      expect(boxes()).toEqual([]);
    },
  );

  test.each(['exit-at-start', 'silent'] as const)('after a start that failed, of a server that is %s', async (mode) => {
    const { server, mark } = marked(mode);
    await using hub = new Hub({ servers: [server.with({ connectTimeoutMs: 1000 })], random: () => 0 });
    await expect(hub.connect('held')).rejects.toThrow();
    await hub.close();
    expect([programs(mark), boxes()]).toEqual([[], []]);
  });

  test('after a server was killed, and how it ended is told', async () => {
    const { server, mark } = marked('healthy');
    await using hub = new Hub({ servers: [server] });
    const { pid = 0 } = await hub.connect('held');
    const lost = new Promise<string | undefined>((resolve) => {
      hub.on('server-disconnected', ({ error }) => resolve(error));
    });
    process.kill(pid, 'SIGKILL');
    expect(await lost).toContain('the process exited on SIGKILL');
    await hub.disconnect('held');
    expect(programs(mark)).toEqual([]);
  });

  test('after a server has closed its output, which bubblewrap still holds open', async () => {
    const { server, mark } = marked('close-stdout', { on: 'call' });
    await using hub = new Hub({ servers: [server], random: () => 0 });
    await hub.connect('held');
    const lost = new Promise<string | undefined>((resolve) => {
      hub.on('server-disconnected', ({ error }) => resolve(error));
    });
    await hub.callTool('held', 'echo', { arguments: { message: 'x' } }).catch(() => undefined);
    expect(await lost).toContain('the process closed its output');
    await hub.disconnect('held');
    expect(programs(mark)).toEqual([]);
  });

  test('after bubblewrap itself was killed', async () => {
    const { server, mark } = marked('daemon-child');
    await using hub = new Hub({ servers: [server] });
    await hub.connect('held');
    const wrapper = processesMarked(mark).find((pid) => commandLineOf(pid)[0]?.endsWith('bwrap')) ?? 0;
    const gone = processesMarked(mark);
    process.kill(wrapper, 'SIGKILL');
    await until(() => !processesMarked(mark).some((pid) => gone.includes(pid)), {
      describe: 'the first ones are gone',
    });
  });

  test('after its hub was killed', async () => {
    const mark = `${process.pid}/killed-hub`;
    const launch = { command: process.execPath, args: [fixturePath('prying-server.mjs')], env: { MARK: mark } };
    const hub = spawn(process.execPath, [HUB, JSON.stringify(launch)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(hub.stdout, 'data');
    expect(programs(`MARK=${mark}\0`)).toEqual(expect.arrayContaining(['bwrap', 'node']));
    expect(boxes()).toHaveLength(1);
    hub.kill('SIGKILL');
    await once(hub, 'exit');
    await until(() => programs(`MARK=${mark}\0`).length === 0, { describe: 'no process is left', limitMs: 5000 });
    await until(() => boxes().length === 0, { describe: 'no folder is left' });
  });
});
