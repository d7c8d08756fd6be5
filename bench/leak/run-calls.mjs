// Calls and reconnects one server for long, and prints what is left of that. Needs --expose-gc.
import { Caller, Hub, McpServer } from '../../dist/index.js';
import { TINY } from '../tiny/command.mjs';
import { createTinyServer } from '../tiny/in-process.mjs';

const [kind, totalCalls, totalReconnects] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const SERVERS = {
  'in-process': () => McpServer.sdk('tiny', createTinyServer()),
  stdio: () => McpServer.stdio('tiny', TINY.command, TINY.args),
};

// Node opens its own streams when they are first looked at; they are none of the hub's.
const ownStreams = [process.stdout, process.stderr];
await settle();
const before = resources();
const hub = new Hub({ servers: [SERVERS[kind]()] });
const caller = new Caller({ hub });
await hub.connect('tiny');
const [{ name }] = hub.tools();

// What is loaded and compiled once belongs to the start.
await half();
const handlesAtStart = handles();
const first = await half();
const second = await half();
const handlesAtEnd = handles();
await hub.close();
const after = await lastingResources();
ownStreams[0].write(JSON.stringify({ first, second, before, after, handlesAtStart, handlesAtEnd }));

/** Half of the calls, with half of the reconnects spread over them; gives what the heap holds then. */
async function half() {
  for (let step = 0; step < totalReconnects / 2; step += 1) {
    for (let call = 0; call < totalCalls / totalReconnects; call += 1) {
      const { success } = await caller.call(name, { text: `call ${step}.${call}` });
      if (!success) throw new Error('a call failed');
    }
    await hub.reconnect('tiny');
  }
  await settle();
  return process.memoryUsage().heapUsed;
}

/** What was promised for later, and what only waits to be collected, is gone after a few turns. */
async function settle() {
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    globalThis.gc();
  }
}

/** What is there a while after the end; the system takes a moment to report that a process is gone. */
async function lastingResources() {
  for (let look = 0; look < 10 && String(resources()) !== String(before); look += 1) await settle();
  return resources();
}

function resources() {
  return process.getActiveResourcesInfo().toSorted();
}

/** Pipes and processes: unlike timers and reads, a connection in use always has the same ones. */
function handles() {
  return resources().filter((resource) => resource.endsWith('Wrap'));
}
