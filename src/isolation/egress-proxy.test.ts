import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { DeniedEgress } from './confinement.ts';
import { dialWithin, ForbiddenAddressError } from './dial.ts';
import type { Dial } from './dial.ts';
import { EgressProxy } from './egress-proxy.ts';
import { NetworkPolicy } from './network-policy.ts';

const web = createServer((asked, answer) => {
  answer.setHeader('connection', 'close');
  answer.end(JSON.stringify({ url: asked.url, headers: asked.headers }));
});
const denied: DeniedEgress[] = [];
let folder: TemporaryFolder;
let port = 0;
let proxy: EgressProxy | undefined;

beforeAll(async () => {
  folder = await openTemporaryFolder();
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  ({ port } = web.address() as AddressInfo);
});

afterEach(async () => {
  await proxy?.close();
  denied.length = 0;
});

afterAll(async () => {
  web.close();
  await folder[Symbol.asyncDispose]();
});

async function open(policy: NetworkPolicy, dial?: Dial): Promise<void> {
  const socketPath = folder.file('proxy.sock');
  proxy = await EgressProxy.open({ policy, socketPath, dial, onDenied: (told) => denied.push(told) });
}

/** Whatever is allowed is in truth our own server. */
const toWeb: Dial = async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

describe('CONNECT', () => {
  test('[S1.egress] reaches a named host, and what goes through is not changed', async () => {
    await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
    const { status, socket } = await tunnel('api.github.com:443');
    expect(status).toBe(200);
    const answer = await ask({
      createConnection: () => socket,
      path: '/inner',
      headers: { host: 'x', te: 'trailers' },
    });
    expect(JSON.parse(answer.body)).toEqual({
      url: '/inner',
      headers: { host: 'x', te: 'trailers', connection: 'close' },
    });
    expect(denied).toEqual([]);
  });

  test('[S1.egress] refuses every other host, and tells of it once', async () => {
    await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
    expect((await tunnel('example.com:443')).status).toBe(403);
    expect((await tunnel('EXAMPLE.com.:443')).status).toBe(403);
    expect((await tunnel('api.github.com.evil.com:443')).status).toBe(403);
    expect(denied).toEqual([
      { target: 'example.com:443', reason: 'the network policy does not name it' },
      { target: 'api.github.com.evil.com:443', reason: 'the network policy does not name it' },
    ]);
  });

  test('takes every spelling of a named host for that host', async () => {
    await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
    const { status, socket } = await tunnel('API.GitHub.com.:443');
    socket.destroy();
    expect(status).toBe(200);
  });

  test.each(['api.github.com', 'api.github.com:0', '@api.github.com:443', 'evil.com%00.api.github.com:443', '/'])(
    'refuses %s, which is no host and port',
    async (target) => {
      await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
      expect((await tunnel(target)).status).toBe(400);
      expect(denied).toEqual([{ target, reason: 'it is no host and port, nor a plain http address' }]);
    },
  );

  test('says so when an allowed host cannot be reached', async () => {
    await open(NetworkPolicy.withDomains('api.github.com'), () => Promise.reject(new Error('ENOTFOUND')));
    expect((await tunnel('api.github.com:443')).status).toBe(502);
    expect(denied).toEqual([]);
  });
});

describe('plain http', () => {
  test('goes to a named host, without what was said to the proxy alone', async () => {
    await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
    const headers = {
      host: 'other.example',
      'proxy-authorization': 'x',
      'x-own': '1',
      connection: 'close, x-hop',
      'x-hop': '1',
    };
    const { status, body } = await viaProxy({ path: 'http://api.github.com/a?b=c', headers });
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { url: '/a?b=c', headers: { host: 'api.github.com', 'x-own': '1', connection: 'close' } },
    ]);
  });

  test.each([
    ['http://example.com/', 403],
    ['http://169.254.169.254/latest/meta-data', 403],
    ['https://api.github.com/', 400],
    ['ftp://api.github.com/', 400],
    ['/relative', 400],
  ])('refuses %s with %s', async (path, expected) => {
    await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
    const { status } = await viaProxy({ path });
    expect([status, denied.length]).toEqual([expected, 1]);
  });
});

test('all of 20 MB arrives through a tunnel', async () => {
  const size = 20 * 1024 * 1024;
  const big = createTcpServer((socket) => socket.end(Buffer.alloc(size, 'x'))).listen(0, '127.0.0.1');
  await once(big, 'listening');
  await open(NetworkPolicy.withDomains('localhost'));
  const { socket } = await tunnel(`localhost:${(big.address() as AddressInfo).port}`);
  let received = 0;
  for await (const chunk of socket) received += (chunk as Buffer).length;
  expect(received).toBe(size);
  big.close();
});

test('closing it cuts what goes through it, and nobody gets in any more', async () => {
  await open(NetworkPolicy.withDomains('api.github.com'), toWeb);
  const { socket } = await tunnel('api.github.com:443');
  const cut = once(socket, 'close');
  await proxy?.close();
  await cut;
  await expect(tunnel('api.github.com:443')).rejects.toMatchObject({ code: 'ENOENT' });
});

describe('where a name leads', () => {
  const leadsTo =
    (...addresses: readonly string[]): (() => Promise<readonly string[]>) =>
    () =>
      Promise.resolve(addresses);

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'an allowed name that is %s is refused',
    async (address) => {
      const policy = NetworkPolicy.withDomains('api.github.com');
      const dialled = dialWithin(policy, leadsTo(address))({ host: 'api.github.com', port });
      await expect(dialled).rejects.toThrow(ForbiddenAddressError);
    },
  );

  test('a refused address is told like a refused host', async () => {
    const policy = NetworkPolicy.withDomains('api.github.com');
    await open(policy, dialWithin(policy, leadsTo('127.0.0.1')));
    expect((await tunnel(`api.github.com:${port}`)).status).toBe(403);
    const reason = 'api.github.com is 127.0.0.1, which is not a public address';
    expect(denied).toEqual([{ target: `api.github.com:${port}`, reason }]);
  });

  test('an address that the list names is dialled, and the others of that name are not', async () => {
    const policy = NetworkPolicy.withDomains('internal.example', '127.0.0.1');
    const socket = await dialWithin(policy, leadsTo('10.255.255.1', '127.0.0.1'))({ host: 'internal.example', port });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  test('localhost is this machine, if it is named', async () => {
    await open(NetworkPolicy.withDomains('localhost'));
    expect((await viaProxy({ path: `http://localhost:${port}/` })).status).toBe(200);
    expect((await viaProxy({ path: `http://127.0.0.1:${port}/` })).status).toBe(403);
  });
});

async function tunnel(target: string): Promise<{ readonly status: number | undefined; readonly socket: Socket }> {
  const asking = request({ socketPath: folder.file('proxy.sock'), method: 'CONNECT', path: target });
  asking.end();
  const [answer, socket, head] = (await once(asking, 'connect')) as [IncomingMessage, Socket, Buffer];
  socket.unshift(head);
  if (answer.statusCode !== 200) socket.destroy();
  return { status: answer.statusCode, socket };
}

function viaProxy(options: RequestOptions): Promise<Answer> {
  return ask({ socketPath: folder.file('proxy.sock'), agent: false, ...options });
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function ask(options: RequestOptions): Promise<Answer> {
  const asking = request(options);
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += String(chunk);
  return { status: answer.statusCode, body };
}
