// Connects so many tiny servers, and prints the memory of this process. Needs --expose-gc.
import { setTimeout as sleep } from 'node:timers/promises';
import { manyTiny } from '../tiny/command.mjs';

const count = process.argv[2];
const hub = count === 'none' ? undefined : await openHub(Number(count));
// The collector gives pages back a moment after it has emptied them.
for (let turn = 0; turn < 3; turn += 1) {
  globalThis.gc();
  await sleep(100);
}
const { rss, heapUsed } = process.memoryUsage();
console.log(JSON.stringify({ rss, heapUsed }));
await hub?.close();

async function openHub(servers) {
  const { Hub, McpServer } = await import('../../dist/index.js');
  const declared = manyTiny(servers).map(({ name, command, args }) => McpServer.stdio(name, command, args));
  const opened = new Hub({ servers: declared });
  const statuses = await opened.connectAll();
  if (statuses.some(({ phase }) => phase !== 'connected')) throw new Error('a server is not connected');
  return opened;
}
