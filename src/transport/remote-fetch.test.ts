import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { silentLogger } from '../logger.ts';
import { DEFAULT_TRANSPORT_LIMITS } from './live-transport.ts';
import { remoteFetch } from './remote-fetch.ts';

const headers = { 'X-Api-Key': 'for-the-server', Accept: 'text/plain' };

test('declared headers go to the declared server alone, and never over those of the protocol', async () => {
  await using own = await listen();
  await using other = await listen();
  const fetch = remoteFetch(context(own.url), { url: own.url, headers });
  await fetch(`${own.url}/deeper`, { headers: { accept: 'application/json' } });
  await fetch(own.url, { method: 'POST', body: 'x' });
  await fetch(other.url, { headers: { accept: 'application/json' } });
  expect(own.seen.map((sent) => [sent['x-api-key'], sent.accept])).toEqual([
    ['for-the-server', 'application/json'],
    ['for-the-server', 'text/plain'],
  ]);
  expect(other.seen.map((sent) => [sent['x-api-key'], sent.accept])).toEqual([[undefined, 'application/json']]);
});

test('what is too much, too private or too often is stopped', async () => {
  await using server = await listen();
  const fetch = remoteFetch(context(server.url), { url: server.url, headers: {} });
  await expect(fetch(`${server.url}/long`).then((response) => response.text())).rejects.toMatchObject({
    name: 'BodyTooLargeError',
  });
  await expect(fetch('https://10.0.0.1/')).rejects.toMatchObject({ name: 'UnsafeLoginError' });
  await expect(fetch(`${server.url}/busy`, { method: 'POST' })).rejects.toMatchObject({ name: 'RateLimitedError' });
});

function context(url: string): Parameters<typeof remoteFetch>[0] {
  return {
    server: 'x',
    transport: { kind: 'http', url, headers: {} },
    clock: new ManualClock(),
    logger: silentLogger,
    limits: { ...DEFAULT_TRANSPORT_LIMITS, messageBytes: 100 },
  };
}

interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly seen: IncomingHttpHeaders[];
}

async function listen(): Promise<Listening> {
  const seen: IncomingHttpHeaders[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(request.url === '/busy' ? 429 : 200).end('x'.repeat(request.url === '/long' ? 1_000 : 1));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
