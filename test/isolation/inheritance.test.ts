import { describe, expect, test, vi } from 'vitest';
import { environmentSource, Hub, IsolationConfig, McpServer, SandboxConfig } from '../../src/index.ts';
import type { HubInterface } from '../../src/index.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { prying, tell } from './prying-hub.ts';

const SECRET = 'a-secret-of-the-isolation';
// Nothing but an environment: what is inherited can be seen on every machine.
const shared = new IsolationConfig({ env: { FROM: 'the hub', TOKEN: '${SHARED_TOKEN}' } });
const own = new IsolationConfig({ env: { FROM: 'the server' } });

function from(hub: HubInterface, server: string): Promise<string> {
  return tell(hub, [server, 'variable', 'FROM']);
}

const secrets = [environmentSource({ SHARED_TOKEN: SECRET })];

describe('[S1.isolation-inherit] isolation for all servers of a hub', () => {
  test('goes to those that say nothing; one of their own wins, and so does off', async () => {
    await using hub = new Hub({
      servers: [prying('none'), prying('own', { isolation: own }), prying('off', { isolation: 'off' })],
      isolation: shared,
      secrets,
    });
    expect(await Promise.all(['none', 'own', 'off'].map((name) => from(hub, name)))).toEqual([
      'the hub',
      'the server',
      '(not set)',
    ]);
  });

  test('reaches servers that are declared later, and those of other views', async () => {
    await using hub = new Hub({ isolation: shared, secrets });
    await hub.connect('later', prying('later'));
    await hub.setServers([prying('later'), prying('set')]);
    const view = hub.view({ servers: [prying('seen')] });
    const other = hub.view({ servers: [prying('seen')], isolation: own });
    expect([
      await from(hub, 'later'),
      await from(hub, 'set'),
      await from(view, 'seen'),
      await from(other, 'seen'),
    ]).toEqual(['the hub', 'the hub', 'the hub', 'the server']);
  });

  test('keeps a server that is declared again in the same way', async () => {
    await using hub = new Hub({ servers: [prying('same')], isolation: shared, secrets });
    const { pid } = await hub.connect('same');
    expect(await hub.setServers([prying('same')])).toMatchObject({ added: [], changed: [] });
    expect(hub.serverStatus('same').pid).toBe(pid);
  });

  test('is a part of what a server is: another one is another process', async () => {
    await using hub = new Hub({ secrets });
    const [one, two] = [hub.view({ servers: [prying('x')] }), hub.view({ servers: [prying('x')], isolation: own })];
    const pids = await Promise.all([one, two].map(async (view) => (await view.connect('x')).pid));
    expect(pids[0]).not.toBe(pids[1]);
  });

  test('leaves alone what we do not start', () => {
    const isolation = new IsolationConfig({ sandbox: new SandboxConfig({ enabled: true }) });
    const hub = new Hub({ servers: [McpServer.http('remote', 'http://127.0.0.1:1/'), prying('ours')], isolation });
    expect(hub.status().map(({ isolation: mode }) => mode)).toEqual(['off', 'required']);
  });
});

describe("the isolation's environment", () => {
  test("[S0.env-merge] stands below the server's own", async () => {
    const server = prying('merged', { env: { FROM: 'itself' } });
    await using hub = new Hub({ servers: [server], isolation: shared, secrets });
    expect([await from(hub, 'merged'), await tell(hub, ['merged', 'variable', 'TOKEN'])]).toEqual(['itself', SECRET]);
  });

  test('[S2.credentials] brings secrets to the server, is hidden like its own, and nothing else of ours comes along', async () => {
    vi.stubEnv('PARENT_TOKEN', 'a-token-of-the-parent');
    const logger = new RecordingLogger();
    await using hub = new Hub({
      servers: [prying('s', { env: { FAULT_TOKEN: '${SHARED_TOKEN}' } })],
      isolation: shared,
      secrets,
      logger,
    });
    const status = await hub.connect('s');
    expect(await tell(hub, ['s', 'variable', 'TOKEN'])).toBe(SECRET);
    expect(await tell(hub, ['s', 'variable', 'PARENT_TOKEN'])).toBe('(not set)');
    expect(hub.serverStatus('s').stderr).toBe('FAULT_TOKEN=***\n');
    expect(JSON.stringify([status, hub.status(), logger.lines])).not.toContain(SECRET);
    vi.unstubAllEnvs();
  });

  test('a secret of it that is nowhere to be found fails that server by its name', async () => {
    await using hub = new Hub({
      servers: [prying('s'), prying('off', { isolation: 'off' })],
      isolation: shared,
      secrets: [],
    });
    const statuses = await hub.connectAll();
    expect(statuses.map(({ errorCode, error }) => [errorCode, error])).toEqual([
      ['SECRET_MISSING', expect.stringContaining('SHARED_TOKEN')],
      [undefined, undefined],
    ]);
  });
});

describe('[S1.args-secret] a secret in the arguments', () => {
  test('is warned of once, without its value, and shown in status', async () => {
    const logger = new RecordingLogger();
    const server = prying('loose', { env: { TOKEN: '${SHARED_TOKEN}' } });
    const { transport } = server;
    if (transport.kind !== 'stdio') throw new TypeError('not over stdio');
    const args = [...transport.args, SECRET, `--key=ghp_${'a'.repeat(36)}`];
    await using hub = new Hub({ servers: [server.with({ transport: { ...transport, args } })], secrets, logger });
    const { warnings } = await hub.connect('loose');
    await hub.reconnect('loose');
    const why = 'holds a secret that every user of this machine can see in the list of processes; put it into env';
    expect(warnings).toEqual([`args[1] (***) ${why}`, `args[2] (--key=***) ${why}`]);
    const told = logger.lines.map((line) => JSON.stringify(line)).filter((line) => line.includes('list of processes'));
    expect(told).toHaveLength(2);
    expect(JSON.stringify([logger.lines, hub.status()])).not.toContain(SECRET);
  });
});
