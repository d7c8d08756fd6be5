// One client in a process of its own, so that neither its garbage nor its compiled code is another's.
import { cpuOf, ownCpu } from './process-cpu.mjs';
import { TINY } from './tiny/command.mjs';

const [script, settings] = process.argv.slice(2);
const { openClient } = await import(script);
const client = await openClient(TINY, JSON.parse(settings));

process.on('message', (message) => void (message === 'close' ? close() : answer(message)));
process.send('ready');

async function close() {
  await client.close();
  process.disconnect();
}

async function answer(load) {
  process.send(await takeTurn(load));
}

async function takeTurn({ calls, concurrency }) {
  const serverCpu = cpuOf(client.pid);
  const cpu = ownCpu();
  const startedAt = performance.now();
  let left = calls;
  const callUntilDone = async () => {
    while (left > 0) {
      left -= 1;
      const text = `call ${left} of ${calls}, and some more to say`;
      if ((await client.call(text)) !== text) throw new Error('the answer belongs to another call');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callUntilDone));
  return {
    calls,
    elapsedMs: performance.now() - startedAt,
    cpuUs: ownCpu() - cpu,
    serverCpuUs: serverCpu === undefined ? undefined : cpuOf(client.pid) - serverCpu,
  };
}
