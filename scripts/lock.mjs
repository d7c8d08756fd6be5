import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './project.mjs';

const file = join(root, '.set-up.lock');
const FORGOTTEN_MS = 15 * 60_000;

/** Runs the work while no other set-up of this folder runs; a lock whose owner is gone is taken over. */
export async function withLock(work) {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  let waiting = false;
  while (!(await isTaken(mine))) {
    if (!waiting) console.error(`Another set-up of this folder is running (${file}); waiting for it.`);
    waiting = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    if (read() === mine) unlinkSync(file);
  }
}

async function isTaken(mine) {
  if (isAbandoned(read())) unlinkIfThere();
  try {
    writeFileSync(file, mine, { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  // Two that found the same abandoned lock may both get here; the later one has removed the earlier one's.
  await sleep(20);
  return read() === mine;
}

function isAbandoned(text) {
  if (text === undefined) return false;
  try {
    const { pid, host } = JSON.parse(text);
    if (host === hostname()) return !isAlive(pid);
  } catch {
    // A half-written lock is judged by its age, like one from another machine.
  }
  const age = statSync(file, { throwIfNoEntry: false });
  return age !== undefined && Date.now() - age.mtimeMs > FORGOTTEN_MS;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function unlinkIfThere() {
  try {
    unlinkSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
