import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { NODE_PRELOAD } from './node-preload.ts';

const PROGRAM = `
const http = require('node:http');
const get = (url, options = {}) => new Promise((resolve) => {
  http.get(url, options, (answer) => resolve(answer.statusCode)).on('error', (error) => resolve(error.code));
});
(async () => {
  const said = [(await fetch('http://named.test/')).status, (await fetch('http://named.test/')).status];
  said.push(await fetch('http://other.test/').catch((error) => error.cause.code));
  said.push(await get('http://named.test/'), await get('http://named.test/', { agent: new http.Agent() }));
  said.push(await get('http://other.test/'), (await fetch(process.env.OWN)).status, await get(process.env.OWN));
  console.log(JSON.stringify(said));
  process.exit();
})();
`;

test('fetch and http go through the proxy, and to the own loopback directly', async () => {
  await using folder = await openTemporaryFolder();
  await writeFile(folder.file('preload.cjs'), NODE_PRELOAD);
  const web = createServer((_, answer) => answer.end('reached'));
  const asked: string[] = [];
  web.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    if (!request.url?.startsWith('named.test')) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const far = connect((web.address() as AddressInfo).port, '127.0.0.1');
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    client.pipe(far).pipe(client);
    client.on('error', () => far.destroy());
    far.on('error', () => client.destroy());
    return undefined;
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const own = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const env = { HTTP_PROXY: own, HTTPS_PROXY: own, NO_PROXY: '127.0.0.1', NODE_USE_ENV_PROXY: '1', OWN: `${own}/` };
  const args = ['--require', folder.file('preload.cjs'), '-e', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(JSON.parse(stdout)).toEqual([200, 200, 'ECONNREFUSED', 200, 200, 'ECONNREFUSED', 200, 200]);
  expect(new Set(asked)).toEqual(new Set(['named.test:80', 'other.test:80']));
  web.closeAllConnections();
  web.close();
});
