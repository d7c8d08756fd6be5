import { readdirSync, readFileSync } from 'node:fs';
import { parseStat } from '../../src/transport/process-table.ts';
import { alive } from '../fixtures/processes.ts';

/** The living children of a process. */
export function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => parentOf(pid) === parent && alive(pid));
}

/** The living children of a process, theirs, and so on. */
export function descendantsOf(ancestor: number): readonly number[] {
  return childrenOf(ancestor).flatMap((child) => [child, ...descendantsOf(child)]);
}

function parentOf(pid: number): number | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.parent;
  } catch {
    return undefined;
  }
}
