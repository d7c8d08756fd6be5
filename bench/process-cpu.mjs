import { readFileSync } from 'node:fs';

// The kernel counts in these for every program, whatever it uses itself.
const MICROSECONDS_PER_TICK = 10_000;

/** The processor time that another process has used so far, in microseconds; undefined where the system does not say. */
export function cpuOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold spaces and brackets; utime and stime are the 14th and 15th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
  } catch {
    return undefined;
  }
}

/** The processor time that this process has used so far, in microseconds. */
export function ownCpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
