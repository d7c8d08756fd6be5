import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { killGroup, signalGroup } from './process-group.ts';
import { noticesTerm, parseOwners, parseStat, treeOf } from './process-table.ts';
import type { ProcessEntry, TreeQuery } from './process-table.ts';

const KILL_LIMIT_MS = 5000;
const KILL_PAUSE_MS = 10;
// Reading /proc waits for no disk, and is fastest done directly; calls in flight get their turn in between.
const READS_AT_ONCE = 32;

/** Whether /proc shows the processes under the numbers by which we can signal them. */
export function hasUsableProc(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

/** The living processes of a tree; nothing where there is no /proc. */
export async function livingTree(query: TreeQuery): Promise<readonly ProcessEntry[]> {
  if (!hasUsableProc()) return [];
  return treeOf(await readProcesses(), query).filter((entry) => entry.pid !== process.pid);
}

/** Asks the processes of a tree to end; false when none of them would notice. */
export async function terminateTree(query: TreeQuery, isAsked: (pid: number) => boolean): Promise<boolean> {
  if (!hasUsableProc()) {
    for (const leader of query.leaders) signalGroup(leader, 'SIGTERM');
    return true;
  }
  const asked = (await livingTree(query)).filter(({ pid }) => isAsked(pid));
  const isNoticed = asked.some(({ pid }) => noticesTerm(readProc(pid, 'status')));
  for (const { pid } of asked) signalProcess(pid, 'SIGTERM');
  return isNoticed;
}

/** Kills a tree, again and again until none of it is left; returns those that would not die. */
export async function killTree(query: TreeQuery, clock: Clock): Promise<readonly number[]> {
  if (!hasUsableProc()) {
    for (const leader of query.leaders) killGroup(leader);
    return [];
  }
  const giveUpAt = clock.monotonic() + KILL_LIMIT_MS;
  for (;;) {
    const alive = await livingTree(query);
    if (alive.length === 0) return [];
    const mayWork = alive.filter(({ pid }) => signalProcess(pid, 'SIGKILL'));
    if (mayWork.length === 0 || clock.monotonic() > giveUpAt) return alive.map(({ pid }) => pid);
    await sleep(clock, KILL_PAUSE_MS);
  }
}

let nextTable: Promise<readonly ProcessEntry[]> | undefined;

/** Whoever asks before a reading begins shares it; one that has begun may have missed what was just started. */
function readProcesses(): Promise<readonly ProcessEntry[]> {
  nextTable ??= nextTurn().then(() => {
    nextTable = undefined;
    return readTable();
  });
  return nextTable;
}

async function readTable(): Promise<readonly ProcessEntry[]> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const table: ProcessEntry[] = [];
  for (let start = 0; start < pids.length; start += READS_AT_ONCE) {
    for (const pid of pids.slice(start, start + READS_AT_ONCE)) {
      const stat = parseStat(readProc(pid, 'stat'));
      // The environment of another user's process cannot be read, but then it is none of ours.
      if (stat) table.push({ ...stat, owners: parseOwners(readProc(pid, 'environ')) });
    }
    await nextTurn();
  }
  return table;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function readProc(pid: number, file: 'stat' | 'environ' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** False where we may not: the process belongs to another user. One that is gone by now needs no signal. */
function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}
