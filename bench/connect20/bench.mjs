import { runJsonScript } from '../child-script.mjs';
import { interleave } from '../interleave.mjs';
import { median, numberText, pairedRatios, spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { withFolder } from '../temporary-folder.mjs';
import { verdict } from '../verdict.mjs';

// As many as a hub connects at once unless it is told otherwise.
const AT_ONCE = 8;
const COUNT = 20;
const QUICK_COUNT = 3;
const ROUNDS = 7;
const TARGET = 1.25;
const VARIANTS = {
  [`SDK v2, ${AT_ONCE} at once`]: { script: 'with-sdk.mjs', args: [String(AT_ONCE)] },
  'SDK v2, all at once': { script: 'with-sdk.mjs', args: [String(COUNT)] },
  [`Fairlead, ${AT_ONCE} at once`]: { script: 'with-fairlead.mjs', args: [] },
};
const [BARE, BARE_UNLIMITED, OURS] = Object.keys(VARIANTS);

/** Twenty real servers, from nothing to listed. */
export const connect20 = {
  name: 'connect20',
  title: 'Connect and list 20 real servers',
  async run({ isQuick }) {
    return withFolder(async (folder) => {
      const count = isQuick ? QUICK_COUNT : COUNT;
      const measure = (label) => runVariant(VARIANTS[label], [folder, String(count)]);
      const samples = await interleave(Object.keys(VARIANTS), isQuick ? 1 : ROUNDS, measure);
      return report(samples);
    });
  },
};

function runVariant({ script, args }, common) {
  return runJsonScript(new URL(script, import.meta.url), { args: [...common, ...args] });
}

function report(samples) {
  requireSameWork(samples);
  const times = (label) => samples.get(label).map(({ elapsedMs }) => elapsedMs);
  const rows = [...samples].map(([label, turns]) => [
    label,
    spreadText(times(label)),
    spreadText(pairedRatios(times(label), times(BARE)), 2),
    spreadText(pairedRatios(times(label), times(BARE_UNLIMITED)), 2),
    spreadText(turns.map(({ cpuMs }) => cpuMs)),
  ]);
  const columns = ['client', 'ms', 'to SDK v2, 8 at once', 'to SDK v2, all at once', 'own CPU ms'];
  const ratio = median(pairedRatios(times(OURS), times(BARE)));
  const claim = `Fairlead takes ${numberText(ratio, 2)} of the time of the bare script (at most ${TARGET})`;
  const text = `${times(OURS).length} rounds, each turn a fresh process, timed after its imports:\n\n${renderTable(columns, rows)}`;
  return { text, verdicts: [verdict(claim, ratio <= TARGET)] };
}

function requireSameWork(samples) {
  const counts = new Set([...samples.values()].flat().map(({ tools }) => tools));
  if (counts.size !== 1) throw new Error(`the variants found different numbers of tools: ${[...counts].join(', ')}`);
}
