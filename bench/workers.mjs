import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { interleave } from './interleave.mjs';

// Peers that report to their makers would be slower for it, and a bench speaks to nobody.
const QUIET = { MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1', LANGSMITH_TRACING: 'false' };
const WARM_UP_ROUNDS = 3;

/** Gives the work one worker per client, each in a process of its own, and ends them afterwards. */
export async function withWorkers(clients, work) {
  const workers = [];
  try {
    for (const client of clients) workers.push(await startWorker(client));
    return await work(workers);
  } finally {
    await Promise.all(workers.map(stopWorker));
  }
}

/** Lets the workers take turns at one load; gives what was measured, by the name of the client. */
export async function measureTurns(workers, load, rounds) {
  const measure = (worker) => takeTurn(worker, load);
  // Compiled code is what a long-lived process runs.
  await interleave(workers, WARM_UP_ROUNDS, measure);
  const samples = await interleave(workers, rounds, measure);
  return new Map([...samples].map(([{ name }, turns]) => [name, turns]));
}

async function startWorker({ name, script, settings = {} }) {
  const child = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), [script.href, JSON.stringify(settings)], {
    execArgv: [],
    env: { ...process.env, ...QUIET },
  });
  const worker = { name, child };
  await nextMessage(worker);
  return worker;
}

async function takeTurn(worker, load) {
  worker.child.send(load);
  return nextMessage(worker);
}

async function stopWorker({ name, child }) {
  if (!child.connected) return;
  const exited = once(child, 'exit');
  child.send('close');
  const [status] = await exited;
  if (status !== 0) throw new Error(`the worker of ${name} ended with ${status}`);
}

/** A worker that dies has nothing more to say. */
function nextMessage({ name, child }) {
  return new Promise((resolve, reject) => {
    const onExit = (status) => reject(new Error(`the worker of ${name} ended with ${status}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
