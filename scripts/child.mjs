import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './project.mjs';

/** We were told to stop while a child ran; the child was told too and has ended. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** Runs the command of an installed package with this Node, on every platform alike. */
export function runTool({ package: name, bin = name, args, stdio, env }) {
  const { bin: bins } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const file = join(root, 'node_modules', name, typeof bins === 'string' ? bins : bins[bin]);
  return runChild(process.execPath, [file, ...args], { stdio, env });
}

/** Runs the npm that runs us, else the one on the PATH. */
export function runNpm(args, env) {
  const own = process.env.npm_execpath;
  if (own && basename(own) === 'npm-cli.js') return runChild(process.execPath, [own, ...args], { env });
  return runChild('npm', args, { env, shell: process.platform === 'win32' });
}

/** Runs a child to its end, passes our signals on to it, and gives its status and, unless inherited, its output. */
function runChild(command, args, { stdio = 'pipe', env, shell = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      stdio: stdio === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    const stopForwarding = forwardSignals(child);
    child.on('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.on('close', (status, signal) => {
      const received = stopForwarding();
      if (received && stdio !== 'inherit') reject(new Interrupted(received));
      else resolve({ status: status ?? 1, signal, output: Buffer.concat(output).toString() });
    });
  });
}

function forwardSignals(child) {
  let received;
  const forward = (signal) => {
    received = signal;
    // A terminal sends Ctrl-C to the whole group: the child has it already, and many tools take a second one as "at once".
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
    return received;
  };
}
