import { join } from 'node:path';
import { median, numberText, spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { withFolder } from '../temporary-folder.mjs';
import { cpuRatios, cpuText, speedRatios, speedsOf } from '../turns.mjs';
import { verdict } from '../verdict.mjs';
import { measureTurns, withWorkers } from '../workers.mjs';

// Fewer than a hub takes from one server.
const TOOLS_EACH = 500;
const SERVERS = 20;
const QUICK_SERVERS = 2;
const ROUNDS = 15;
const LOAD = { concurrency: 16, calls: 4000 };
const QUICK_LOAD = { concurrency: 16, calls: 50 };
const FLAT = 1.1;
const PLAIN = 'governed';
const COLUMNS = ['call', 'calls/s', 'time per call, to governed', 'CPU µs/call', 'CPU, to governed'];

/** What each part of a governed call costs, by adding more of it. */
export const governedParts = {
  name: 'governed-parts',
  title: 'What the parts of a governed call cost',
  async run({ isQuick }) {
    const rounds = isQuick ? 2 : ROUNDS;
    const load = isQuick ? QUICK_LOAD : LOAD;
    const servers = isQuick ? QUICK_SERVERS : SERVERS;
    const many = `+ ${numberText(servers * TOOLS_EACH)} tools of ${servers} servers`;
    return withFolder((folder) =>
      withWorkers(clientsOf({ folder, servers, many }), async (workers) => {
        const turns = await measureTurns(workers, load, rounds);
        const text = `Concurrency ${load.concurrency}; ${rounds} rounds of ${numberText(load.calls)} calls:\n\n${render(turns)}`;
        return { text, verdicts: [flatVerdict(turns, many)] };
      }),
    );
  },
};

function clientsOf({ folder, servers, many }) {
  const settings = {
    [PLAIN]: {},
    '+ event log': { logFile: join(folder, 'events.jsonl') },
    '+ 1 policy': { policies: 1 },
    '+ 4 policies': { policies: 4 },
    '+ 1 listener': { listeners: 2 },
    '+ 4 listeners': { listeners: 5 },
    [many]: { servers, toolsEach: TOOLS_EACH },
  };
  const script = new URL('client.mjs', import.meta.url);
  return Object.entries(settings).map(([name, each]) => ({ name, script, settings: each }));
}

function render(turns) {
  const plain = turns.get(PLAIN);
  const rows = [...turns].map(([name, own]) => [
    name,
    spreadText(speedsOf(own)),
    spreadText(speedRatios(plain, own), 2),
    cpuText(own),
    spreadText(cpuRatios(own, plain), 2),
  ]);
  return renderTable(COLUMNS, rows);
}

function flatVerdict(turns, many) {
  const ratio = median(speedRatios(turns.get(PLAIN), turns.get(many)));
  const claim = `${many.replace('+ ', 'with ')} a call takes ${numberText(ratio, 2)} of the time that it takes with one (at most ${FLAT})`;
  return verdict(claim, ratio <= FLAT);
}
