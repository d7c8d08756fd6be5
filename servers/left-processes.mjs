import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 2_000;

/** The ids of processes that outlived the hub: those with the mark in their environment, and what else we started. */
export async function findLeftProcesses(mark, knownPids) {
  const [[name, value]] = Object.entries(mark);
  const find = () => (hasProcessTable() ? markedOrOurs(`${name}=${value}`) : knownPids.filter(isAlive));
  const end = performance.now() + PATIENCE_MS;
  let left = find();
  while (left.length > 0 && performance.now() < end) {
    await sleep(50);
    left = find();
  }
  return left;
}

function hasProcessTable() {
  return process.platform === 'linux';
}

function markedOrOurs(mark) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => read(pid, 'environ').split('\0').includes(mark) || isChildOfOurs(pid)).map(Number);
}

function isChildOfOurs(pid) {
  // The command in the second field may contain anything, so the fields are counted from behind its last bracket.
  const [state, parent] = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(parent) === process.pid && state !== 'Z';
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
