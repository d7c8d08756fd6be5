import { spawn } from 'node:child_process';

/** Signals a process group, where there is no /proc to find a tree by. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is empty.
  }
}

/** Kills what can be found of a tree without /proc: the group, or what Windows calls the tree (that branch no test covers). */
export function killGroup(leader: number): void {
  if (process.platform !== 'win32') {
    signalGroup(leader, 'SIGKILL');
    return;
  }
  const taskkill = spawn('taskkill', ['/PID', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  taskkill.on('error', () => undefined);
  taskkill.unref();
}
