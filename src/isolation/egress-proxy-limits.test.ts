import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { until } from '../../test/fixtures/until.ts';
import type { Dial } from './dial.ts';
import { EgressProxy } from './egress-proxy.ts';
import { NetworkPolicy } from './network-policy.ts';

let folder: TemporaryFolder;
let proxy: EgressProxy | undefined;

beforeAll(async () => {
  folder = await openTemporaryFolder();
});
afterEach(() => proxy?.close());
afterAll(() => folder[Symbol.asyncDispose]());

async function open(policy: NetworkPolicy, dial?: Dial): Promise<void> {
  proxy = await EgressProxy.open({ policy, socketPath: folder.file('proxy.sock'), dial, onDenied: () => undefined });
}

describe('a host that is allowed and hostile', () => {
  test.each(['000 None', '099 Less', '101 Switching\r\nconnection: upgrade\r\nupgrade: x', '101 Alone'])(
    'answers %j, and only its own asker is cut off',
    async (status) => {
      const far = createTcpServer((socket) => {
        socket.once('data', () => socket.write(`HTTP/1.1 ${status}\r\n\r\n`));
        socket.on('error', () => undefined);
      }).listen(0, '127.0.0.1');
      await once(far, 'listening');
      await open(NetworkPolicy.withDomains('localhost'));
      const asked = statusOf(`http://localhost:${(far.address() as AddressInfo).port}/`);
      await expect(asked).rejects.toMatchObject({ code: 'ECONNRESET' });
      far.close();
    },
  );
});

describe('a server that asks for too much', () => {
  test.each(['HTTP/1.1', 'HTTP/1.0'])(
    'has one connection for each of its own, however many it asks for (%s)',
    async (version) => {
      const { far, held, dial } = await openSilent();
      await open(NetworkPolicy.withDomains('api.github.com'), dial);
      const socket = connect(folder.file('proxy.sock'));
      const asked = `GET http://api.github.com/ ${version}\r\nhost: x\r\nconnection: keep-alive\r\n\r\n`;
      socket.write(asked.repeat(50));
      await once(socket, 'close');
      await until(() => held.size === 0, { describe: 'nothing is left of it' });
      far.close();
    },
  );

  test('leaves nothing behind if it goes before its target is reached', async () => {
    const { far, held, dial } = await openSilent();
    let finish = (): void => undefined;
    const later = new Promise<void>((resolve) => (finish = resolve));
    const reached: Socket[] = [];
    await open(NetworkPolicy.withDomains('api.github.com'), async (target) => {
      await later;
      reached.push(await dial(target));
      return reached.at(-1) as Socket;
    });
    const questions = ['GET http://api.github.com/ HTTP/1.1', 'CONNECT api.github.com:443 HTTP/1.1'];
    for (const question of questions) {
      const socket = connect(folder.file('proxy.sock'));
      socket.write(`${question}\r\nhost: x\r\n\r\n`);
      await once(socket, 'connect');
      socket.destroy();
    }
    await turn();
    finish();
    await until(() => reached.length === questions.length && held.size === 0, {
      describe: 'what was reached is let go',
    });
    far.close();
  });

  test('is told to wait when too many of its targets have not answered yet', async () => {
    let dialled = 0;
    await open(NetworkPolicy.withDomains('api.github.com'), () => {
      dialled += 1;
      return new Promise(() => undefined);
    });
    for (let count = 1; count <= 256; count += 1) {
      const socket = connect(folder.file('proxy.sock'));
      socket.write('GET http://api.github.com/ HTTP/1.1\r\nhost: x\r\n\r\n');
      await until(() => dialled === count, { describe: 'it is being dialled' });
      socket.destroy();
    }
    expect(await statusOf('http://api.github.com/')).toBe(503);
    expect(dialled).toBe(256);
  });

  test('and then says nothing more in its tunnel is cut off', async () => {
    const { far, held, dial } = await openSilent();
    const policy = NetworkPolicy.withDomains('api.github.com');
    const socketPath = folder.file('proxy.sock');
    proxy = await EgressProxy.open({ policy, socketPath, dial, idleLimitMs: 20, onDenied: () => undefined });
    const socket = connect(folder.file('proxy.sock'));
    socket.write('CONNECT api.github.com:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    await until(() => held.size === 0, { describe: 'both ends are let go' });
    far.close();
  });
});

/** What never answers, and how many connections it has. */
async function openSilent(): Promise<{ readonly far: TcpServer; readonly held: Set<Socket>; readonly dial: Dial }> {
  const held = new Set<Socket>();
  const far = createTcpServer((socket) => {
    held.add(socket);
    socket.on('error', () => undefined).once('close', () => held.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(far, 'listening');
  const dial: Dial = async () => {
    const socket = connect((far.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  return { far, held, dial };
}

async function statusOf(url: string): Promise<number | undefined> {
  const asking = request({ socketPath: folder.file('proxy.sock'), agent: false, path: url });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
