import { chmod, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Hub, IsolationConfig, McpConnectionError, McpServer, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { prying, tell } from './prying-hub.ts';

const required = new IsolationConfig({ sandbox: new SandboxConfig({ enabled: true }) });
const preferred = new IsolationConfig({
  sandbox: new SandboxConfig({ mode: 'preferred' }),
  networkPolicy: NetworkPolicy.withDomains('api.github.com'),
});

// A machine without bubblewrap is any machine, with a PATH on which there is none.
describe('where there is no sandbox', () => {
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await openTemporaryFolder();
  });
  beforeEach(() => vi.stubEnv('PATH', folder.path));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => folder[Symbol.asyncDispose]());

  test('[S1.sandbox] a server that requires one is refused with the reason and the fix, and nothing is started', async () => {
    const mark = `refused-${folder.path}`;
    await using hub = new Hub({ servers: [prying('strict', { isolation: required, env: { MARK: mark } })] });
    const error = await hub.connect('strict').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpConnectionError);
    expect(error).toMatchObject({
      code: 'ISOLATION_UNAVAILABLE',
      serverName: 'strict',
      message:
        'strict: isolation is required, but bubblewrap is not installed; install it, as with `apt-get install bubblewrap socat` or `dnf install bubblewrap socat`, or set isolation: off to run it without a sandbox, if you trust it',
    });
    expect(processesMarked(`MARK=${mark}\0`)).toEqual([]);
    expect(hub.serverStatus('strict')).toMatchObject({
      status: 'failed',
      isolation: 'required',
      errorCode: 'ISOLATION_UNAVAILABLE',
      restarts: 0,
    });
  });

  test('[S1.sandbox] so is one where bubblewrap is there and not allowed to work', async () => {
    await using other = await openTemporaryFolder();
    await writeFile(
      other.file('bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    );
    await chmod(other.file('bwrap'), 0o755);
    vi.stubEnv('PATH', other.path);
    await using hub = new Hub({ servers: [prying('strict', { isolation: required })] });
    await expect(hub.connect('strict')).rejects.toThrow(
      /user namespaces are blocked \(bwrap: No permissions.*\); in a container start it with --security-opt seccomp=unconfined/,
    );
  });

  test('[S1.egress] so is one with a network policy, which must not be ignored', async () => {
    const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.noNetwork() });
    await using hub = new Hub({ servers: [prying('strict', { isolation })] });
    await expect(hub.connect('strict')).rejects.toMatchObject({ code: 'ISOLATION_UNAVAILABLE' });
  });

  test('[S1.sandbox] a server that prefers one starts without, and its status says so loudly', async () => {
    const logger = new RecordingLogger();
    await using hub = new Hub({ servers: [prying('easy', { isolation: preferred })], logger });
    const missing = expect.stringContaining('bubblewrap is not installed; install it') as string;
    expect(await hub.connect('easy')).toMatchObject({
      status: 'connected',
      isolation: 'preferred',
      confinement: { files: 'open', network: 'open', missing },
      warnings: [expect.stringContaining('NOT ISOLATED, although it should be: bubblewrap is not installed')],
    });
    expect(JSON.stringify(logger.lines)).toContain('NOT ISOLATED');
    expect(await tell(hub, ['easy', 'variable', 'HTTPS_PROXY'])).toBe('(not set)');
  });

  test('[S1.home] even then it has a HOME of its own, which is gone after it', async () => {
    await using hub = new Hub({
      servers: [
        prying('easy', { isolation: preferred }),
        prying('plain', { isolation: new IsolationConfig() }),
        prying('free'),
      ],
    });
    const [easy = '', plain = '', free = ''] = await Promise.all(
      ['easy', 'plain', 'free'].map((name) => tell(hub, [name, 'variable', 'HOME'])),
    );
    expect([easy, plain].map((home) => home.startsWith(tmpdir()))).toEqual([true, true]);
    expect([easy === plain, free]).toEqual([false, process.env['HOME'] ?? '(not set)']);
    expect(await tell(hub, ['easy', 'write', `${easy}/file`])).toBe('written');
    expect(await readdir(easy)).toEqual(['file']);
    await hub.close();
    await expect(readdir(easy)).rejects.toThrow('ENOENT');
  });

  test('off is the default, and a server that is not isolated says so', async () => {
    await using hub = new Hub({ servers: [prying('free')] });
    const status = await hub.connect('free');
    expect([status.isolation, status.confinement, status.warnings]).toEqual(['off', undefined, undefined]);
  });

  test('what we do not start cannot be isolated, and is refused if it must be', async () => {
    await using hub = new Hub({ servers: [McpServer.http('remote', 'http://127.0.0.1:1/', { isolation: required })] });
    await expect(hub.connect('remote')).rejects.toMatchObject({
      code: 'ISOLATION_UNAVAILABLE',
      message: expect.stringContaining('only a server that we start ourselves (stdio) can be isolated') as string,
    });
  });

  test('a declared path that does not exist is named', async () => {
    const isolation = new IsolationConfig({
      sandbox: new SandboxConfig({ mode: 'preferred', readablePaths: ['/no/such/folder'] }),
    });
    await using hub = new Hub({ servers: [prying('lost', { isolation })] });
    await expect(hub.connect('lost')).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: expect.stringContaining('/no/such/folder is to be readable or writable, but not there') as string,
    });
  });
});
