import { numberText, spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { cpuRatios, cpuText, serverCpuText, speedRatios, speedsOf } from '../turns.mjs';
import { measureTurns, withWorkers } from '../workers.mjs';
import { governedVerdicts, plainVerdict } from './promises.mjs';
import { LABELS } from './variants.mjs';

const LOADS = [
  { concurrency: 1, calls: 2000, verdictsOf: (turns) => [plainVerdict(turns, 1)] },
  { concurrency: 16, calls: 4000, verdictsOf: (turns) => [plainVerdict(turns, 16), ...governedVerdicts(turns, 16)] },
];
const QUICK_CALLS = 50;
const ROUNDS = 15;
const COLUMNS = [
  'client',
  'calls/s',
  'to SDK v2',
  'to raw pipe',
  'CPU µs/call',
  'CPU to raw pipe',
  "server's CPU µs/call",
];

/** Calls over stdio: what each client makes of one tiny server. */
export const calls = {
  name: 'calls',
  title: 'Calls over stdio',
  async run({ isQuick }) {
    const rounds = isQuick ? 2 : ROUNDS;
    const clients = Object.keys(LABELS).map((name) => ({
      name,
      script: new URL(`clients/${name}.mjs`, import.meta.url),
    }));
    return withWorkers(clients, async (workers) => {
      const texts = [];
      const verdicts = [];
      for (const load of LOADS) {
        const callsPerTurn = isQuick ? QUICK_CALLS : load.calls;
        const { concurrency, verdictsOf } = load;
        const turns = await measureTurns(workers, { concurrency, calls: callsPerTurn }, rounds);
        texts.push(`Concurrency ${concurrency}; ${rounds} rounds of ${numberText(callsPerTurn)} calls:`, render(turns));
        verdicts.push(...verdictsOf(turns));
      }
      return { text: texts.join('\n\n'), verdicts };
    });
  },
};

function render(turns) {
  const [sdk, pipe] = [turns.get('sdk-v2'), turns.get('raw-pipe')];
  const rows = [...turns].map(([name, own]) => [
    LABELS[name],
    spreadText(speedsOf(own)),
    spreadText(speedRatios(own, sdk), 2),
    spreadText(speedRatios(own, pipe), 2),
    cpuText(own),
    spreadText(cpuRatios(own, pipe), 2),
    serverCpuText(own),
  ]);
  return renderTable(COLUMNS, rows);
}
