import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { interleave } from '../interleave.mjs';
import { median, numberText, pairedRatios, spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { verdict } from '../verdict.mjs';

const VARIANTS = {
  'raw-pipe': 'raw pipe',
  'sdk-v1': 'SDK v1',
  'sdk-v2': 'SDK v2',
  'ai-sdk': '@ai-sdk/mcp',
  fairlead: 'Fairlead',
};
const LOADS = [
  { concurrency: 1, calls: 2000 },
  { concurrency: 16, calls: 4000 },
];
const ROUNDS = 15;
const TARGET = 0.9;

/** Calls over stdio: what each client makes of one tiny server. */
export const calls = {
  name: 'calls',
  title: 'Calls over stdio',
  async run({ isQuick }) {
    const rounds = isQuick ? 2 : ROUNDS;
    const workers = await Promise.all(Object.keys(VARIANTS).map(startWorker));
    try {
      const sections = [];
      for (const load of LOADS) sections.push(await measureLoad(workers, sized(load, isQuick), rounds));
      return {
        text: sections.map(({ text }) => text).join('\n\n'),
        verdicts: sections.map((section) => section.verdict),
      };
    } finally {
      await Promise.all(workers.map(stopWorker));
    }
  },
};

async function measureLoad(workers, load, rounds) {
  // Compiled code is what a long-lived process runs.
  await interleave(workers, 3, (worker) => takeTurn(worker, load));
  const samples = await interleave(workers, rounds, (worker) => takeTurn(worker, load));
  const turns = Object.fromEntries([...samples].map(([{ variant }, each]) => [variant, each]));
  const speeds = (variant) => turns[variant].map(({ elapsedMs }) => (load.calls / elapsedMs) * 1000);
  const ratios = (variant, baseline) => pairedRatios(speeds(variant), speeds(baseline));
  const rows = Object.entries(VARIANTS).map(([variant, label]) => [
    label,
    spreadText(speeds(variant)),
    spreadText(ratios(variant, 'sdk-v2'), 2),
    spreadText(ratios(variant, 'raw-pipe'), 2),
    cpuPerCall(turns[variant], 'cpuUs', load.calls),
    cpuPerCall(turns[variant], 'serverCpuUs', load.calls),
  ]);
  const ratio = median(ratios('fairlead', 'sdk-v2'));
  const claim = `at concurrency ${load.concurrency} Fairlead makes ${numberText(ratio, 2)} of the calls of the bare SDK v2 (at least ${TARGET})`;
  const columns = ['client', 'calls/s', 'to SDK v2', 'to raw pipe', 'CPU µs/call', "server's CPU µs/call"];
  return {
    text: `Concurrency ${load.concurrency}; ${rounds} rounds of ${load.calls} calls:\n\n${renderTable(columns, rows)}`,
    verdict: verdict(claim, ratio >= TARGET),
  };
}

function cpuPerCall(turns, key, callsPerTurn) {
  if (turns.some((turn) => turn[key] === undefined)) return 'unknown';
  // The kernel's ticks are too coarse for one turn.
  const total = turns.reduce((sum, turn) => sum + turn[key], 0);
  return numberText(total / (turns.length * callsPerTurn));
}

function sized(load, isQuick) {
  return isQuick ? { ...load, calls: 50 } : load;
}

async function startWorker(variant) {
  const child = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), [variant], { execArgv: [] });
  await nextMessage(child);
  return { variant, child };
}

async function takeTurn({ child }, load) {
  child.send(load);
  return nextMessage(child);
}

async function stopWorker({ child }) {
  if (!child.connected) return;
  const exited = once(child, 'exit');
  child.send('close');
  await exited;
}

/** A worker that dies has nothing more to say. */
function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const onExit = (status) => reject(new Error(`${child.spawnargs.at(-1)} ended with ${status}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
