import { runJsonScript } from '../child-script.mjs';
import { interleave } from '../interleave.mjs';
import { spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';

const COUNTS = { 'Node alone': 'none', 'hub, 0 servers': '0', 'hub, 10 servers': '10', 'hub, 50 servers': '50' };
const QUICK_COUNTS = { 'hub, 0 servers': '0', 'hub, 2 servers': '2' };
const ROUNDS = 7;
const MEGABYTE = 1024 * 1024;

/** The memory of the hub's own process by the number of tiny servers connected. */
export const memory = {
  name: 'memory',
  title: "Memory of the hub's process",
  async run({ isQuick }) {
    const counts = isQuick ? QUICK_COUNTS : COUNTS;
    const samples = await interleave(Object.keys(counts), isQuick ? 1 : ROUNDS, (label) => weigh(counts[label]));
    const rows = [...samples].map(([label, weights]) => [
      label,
      spreadText(
        weights.map(({ rss }) => rss / MEGABYTE),
        1,
      ),
      spreadText(
        weights.map(({ heapUsed }) => heapUsed / MEGABYTE),
        1,
      ),
    ]);
    const table = renderTable(['process', 'RSS MB', 'heap MB'], rows);
    return { text: `${isQuick ? 1 : ROUNDS} rounds, after garbage collection:\n\n${table}`, verdicts: [] };
  },
};

function weigh(count) {
  return runJsonScript(new URL('hub-memory.mjs', import.meta.url), { nodeArgs: ['--expose-gc'], args: [count] });
}
