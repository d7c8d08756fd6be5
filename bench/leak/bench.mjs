import { runJsonScript } from '../child-script.mjs';
import { numberText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { verdict } from '../verdict.mjs';

const KINDS = ['in-process', 'stdio'];
const SIZE = { calls: 10_000, reconnects: 200 };
const QUICK_SIZE = { calls: 40, reconnects: 4 };
const TARGET_BYTES = 1024;
// Compiled code is heap too, and comes and goes with the clock.
const NODE_ARGS = ['--expose-gc', '--no-opt', '--no-flush-bytecode'];

/** What long use leaves behind: heap after collection, handles, timers. */
export const leak = {
  name: 'leak',
  title: 'Long use: 10,000 calls and 200 reconnects',
  async run({ isQuick }) {
    const size = isQuick ? QUICK_SIZE : SIZE;
    const results = [];
    for (const kind of KINDS) results.push({ kind, ...(await use(kind, size)) });
    const rows = results.map((result) => [
      result.kind,
      numberText(result.first / 1024),
      numberText(result.second / 1024),
      numberText(growthPer100(result, size)),
      listText(result.before),
      listText(result.after),
    ]);
    const columns = [
      'server',
      'heap kB after half',
      'heap kB at the end',
      'bytes per 100 calls',
      'handles and timers before',
      'after close',
    ];
    const text = `After half as much to warm up; heap after garbage collection:\n\n${renderTable(columns, rows)}`;
    return { text, verdicts: results.flatMap((result) => verdictsOf(result, size)) };
  },
};

function use(kind, { calls, reconnects }) {
  const args = [kind, String(calls), String(reconnects)];
  return runJsonScript(new URL('run-calls.mjs', import.meta.url), { nodeArgs: NODE_ARGS, args });
}

function growthPer100({ first, second }, { calls }) {
  return (second - first) / (calls / 2 / 100);
}

function verdictsOf(result, size) {
  const { kind, before, after, handlesAtStart, handlesAtEnd } = result;
  const growth = growthPer100(result, size);
  const isSame = String(before) === String(after) && String(handlesAtStart) === String(handlesAtEnd);
  return [
    verdict(
      `${kind}: the second half grows by ${numberText(growth)} bytes per 100 calls (less than 1 kB)`,
      growth < TARGET_BYTES,
    ),
    verdict(`${kind}: handles and timers return to the start value`, isSame),
  ];
}

function listText(names) {
  return names.length === 0 ? 'none' : names.join(' ');
}
