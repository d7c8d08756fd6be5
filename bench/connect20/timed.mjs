import { ownCpu } from '../process-cpu.mjs';

/** Prints how long the work took and how many tools it found; gives what the work wants to keep. */
export async function timed(work) {
  const cpu = ownCpu();
  const startedAt = performance.now();
  const { tools, kept } = await work();
  const elapsedMs = performance.now() - startedAt;
  console.log(JSON.stringify({ elapsedMs, cpuMs: (ownCpu() - cpu) / 1000, tools }));
  return kept;
}
