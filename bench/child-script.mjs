import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script in a fresh Node and gives what it printed, how it ended and how long it took from start to end. */
export async function runScript(url, { args = [], nodeArgs = [], env = {} } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(url), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  const complaints = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => complaints.push(chunk));
  const [status] = await once(child, 'close');
  const elapsedMs = performance.now() - startedAt;
  const text = Buffer.concat(complaints).toString();
  if (status !== 0) throw new Error(`${fileURLToPath(url)} ended with ${status}:\n${text}`);
  return { stdout: Buffer.concat(output).toString(), elapsedMs };
}

/** Runs a script whose output is one JSON document, and gives that. */
export async function runJsonScript(url, options) {
  return JSON.parse((await runScript(url, options)).stdout);
}
