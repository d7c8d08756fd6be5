import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Measured<Result> {
  readonly result: Result;
  /** How much memory this process took at its peak beyond what it had before. */
  readonly growthMb: number;
}

const SAMPLE_MS = 2;
const BYTES_PER_MB = 1024 * 1024;

/** Watches the memory of this process while something goes on. */
export async function measuringMemory<Result>(run: () => Promise<Result>): Promise<Measured<Result>> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  try {
    const result = await run();
    sample();
    return { result, growthMb: Math.round((peak - before) / BYTES_PER_MB) };
  } finally {
    clearInterval(sampling);
  }
}

/** How much this process holds on to once everything unused is freed. */
export function heldMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / BYTES_PER_MB);
}
