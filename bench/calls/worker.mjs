// One client in a process of its own, so that neither its garbage nor its compiled code is another's.
import { cpuOf, ownCpu } from '../process-cpu.mjs';
import { TINY } from '../tiny/command.mjs';

const { openClient } = await import(`./clients/${process.argv[2]}.mjs`);
const client = await openClient(TINY);

process.on('message', async (turn) => {
  if (turn === 'close') {
    await client.close();
    process.disconnect();
  } else {
    process.send(await takeTurn(turn));
  }
});
process.send('ready');

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
    elapsedMs: performance.now() - startedAt,
    cpuUs: ownCpu() - cpu,
    serverCpuUs: serverCpu === undefined ? undefined : cpuOf(client.pid) - serverCpu,
  };
}
