import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Hub, IsolationConfig, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import type { HubEvents, HubInterface, McpServer } from '../../src/index.ts';
import type { Dial } from '../../src/isolation/dial.ts';
import { bubblewrapFile, needingSandbox, sandboxGap } from '../fixtures/sandbox-here.ts';
import { commandLineOf, processesMarked } from '../fixtures/processes.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { openHubWithDial, prying, tell } from './prying-hub.ts';

const sandbox = new SandboxConfig({ enabled: true });

function isolated(name: string, ...domains: readonly string[]): McpServer {
  return prying(name, {
    isolation: new IsolationConfig({ sandbox, networkPolicy: NetworkPolicy.withDomains(...domains) }),
  });
}

describe.skipIf(sandboxGap !== undefined)(needingSandbox('egress'), () => {
  const web = createServer((asked, answer) => answer.end(`${asked.headers.host} was reached`));
  let port = 0;

  beforeAll(async () => {
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    ({ port } = web.address() as AddressInfo);
  });

  afterAll(() => web.close());
  afterEach(() => vi.unstubAllEnvs());

  /** Every allowed host is in truth our own server. */
  const standIn: Dial = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  test('[S1.egress] a server reaches the domains of its policy, and no others', async () => {
    await using hub = openHubWithDial([isolated('github', 'api.github.com')], standIn);
    const denied: HubEvents['sandbox-denied'][] = [];
    hub.on('sandbox-denied', (event) => denied.push(event));
    expect(await tell(hub, ['github', 'fetch', 'http://api.github.com/user'])).toBe('200 api.github.com was reached');
    expect(await tell(hub, ['github', 'tunnel', 'api.github.com:443'])).toBe('200 api.github.com:443 was reached');
    expect(await tell(hub, ['github', 'fetch', 'http://example.com/'])).toMatch(/^403 example\.com:80 is blocked/);
    expect(await tell(hub, ['github', 'tunnel', 'example.com:443'])).toBe('403');
    expect(denied).toEqual(
      ['example.com:80', 'example.com:443'].map((target) => ({
        type: 'sandbox-denied',
        at: expect.any(Number) as number,
        server: 'github',
        target,
        reason: 'the network policy does not name it',
      })),
    );
  });

  test('[S1.egress] so does one that uses fetch, which older versions of Node do not send to a proxy', async () => {
    await using hub = openHubWithDial([isolated('github', 'api.github.com')], standIn);
    expect(await tell(hub, ['github', 'visit', 'http://api.github.com/'])).toBe('api.github.com was reached');
    expect(await tell(hub, ['github', 'visit', 'http://api.github.com/again'])).toBe('api.github.com was reached');
    expect(await tell(hub, ['github', 'visit', 'http://example.com/'])).not.toContain('was reached');
  });

  test('[S1.egress] nothing leads past the proxy', async () => {
    const free = prying('free', { isolation: 'off' });
    await using hub = openHubWithDial([isolated('github', 'api.github.com'), free], standIn);
    const acts = ['free', 'github'].map((server) => tell(hub, [server, 'connect', `127.0.0.1:${port}`]));
    expect(await Promise.all(acts)).toEqual(['connected', 'ECONNREFUSED']);
    expect(await tell(hub, ['github', 'connect', '1.1.1.1:443'])).toBe('ENETUNREACH');
    expect(await tell(hub, ['github', 'connect', 'api.github.com:443'])).toMatch(/^(?:EAI_AGAIN|ENOTFOUND)$/);
  });

  test('[S1.egress] each server has its own list', async () => {
    await using hub = openHubWithDial([isolated('one', 'one.example.com'), isolated('two', '*.example.org')], standIn);
    const ask = (server: string, host: string): Promise<string> => tell(hub, [server, 'tunnel', `${host}:443`]);
    expect(await ask('one', 'one.example.com')).toBe('200 one.example.com:443 was reached');
    expect(await ask('two', 'a.example.org')).toBe('200 a.example.org:443 was reached');
    expect([await ask('one', 'a.example.org'), await ask('two', 'one.example.com')]).toEqual(['403', '403']);
  });

  test('[S1.egress] an empty list means no network at all, not even a proxy', async () => {
    await using hub = openHubWithDial([isolated('none'), prying('free', { isolation: 'off' })], standIn);
    const acts = ['free', 'none'].map((server) => tell(hub, [server, 'connect', `127.0.0.1:${port}`]));
    expect(await Promise.all(acts)).toEqual(['connected', 'ECONNREFUSED']);
    expect(await tell(hub, ['none', 'variable', 'HTTPS_PROXY'])).toBe('(not set)');
    expect(await tell(hub, ['none', 'connect', '1.1.1.1:443'])).toBe('ENETUNREACH');
  });

  test('a name that leads to an address of this machine is refused, unless the list names it', async () => {
    await using hub = new Hub({ servers: [isolated('a', `localhost:${port}`), isolated('b', 'api.github.com')] });
    expect(await tell(hub, ['a', 'fetch', `http://localhost:${port}/`])).toBe(`200 localhost:${port} was reached`);
    expect(await tell(hub, ['a', 'fetch', 'http://localhost:1/'])).toMatch(/^403 /);
    expect(await tell(hub, ['b', 'fetch', `http://127.0.0.1:${port}/`])).toMatch(/^403 /);
  });

  test('a policy without a sandbox holds the network and leaves the files', async () => {
    const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.withDomains('api.github.com') });
    await using hub = openHubWithDial([prying('github', { isolation })], standIn);
    expect(await tell(hub, ['github', 'tunnel', 'api.github.com:443'])).toBe('200 api.github.com:443 was reached');
    expect(await tell(hub, ['github', 'tunnel', 'example.com:443'])).toBe('403');
    expect(await tell(hub, ['github', 'connect', `127.0.0.1:${port}`])).toBe('ECONNREFUSED');
    expect(await tell(hub, ['github', 'list', '/etc'])).toContain('shadow');
    expect(hub.serverStatus('github').confinement).toEqual({ files: 'open', network: ['api.github.com'] });
  });

  test('a sandbox without a policy leaves the network open, and says so', async () => {
    await using hub = openHubWithDial([prying('open', { isolation: 'required' })], standIn);
    expect(await tell(hub, ['open', 'connect', `127.0.0.1:${port}`])).toBe('connected');
    expect(hub.serverStatus('open').confinement).toEqual({ files: 'confined', network: 'open' });
  });

  test('where there is no socat, Node forwards', async () => {
    await using folder = await openTemporaryFolder();
    await symlink(bubblewrapFile ?? '', folder.file('bwrap'));
    vi.stubEnv('PATH', folder.path);
    const server = isolated('github', 'api.github.com').withEnv({ MARK: folder.path });
    await using hub: HubInterface = openHubWithDial([server], standIn);
    expect(await tell(hub, ['github', 'tunnel', 'api.github.com:443'])).toBe('200 api.github.com:443 was reached');
    expect(await tell(hub, ['github', 'tunnel', 'example.com:443'])).toBe('403');
    const programs = processesMarked(`MARK=${folder.path}\0`).map((pid) => commandLineOf(pid).slice(0, 2).join(' '));
    expect(programs.filter((program) => program.includes('socat'))).toEqual([]);
    expect(programs).toContain(`${process.execPath} -e`);
  });
});
