import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from '../child-script.mjs';
import { interleave } from '../interleave.mjs';
import { median, numberText, pairedRatios, spreadText } from '../statistics.mjs';
import { renderTable } from '../table.mjs';
import { withFolder } from '../temporary-folder.mjs';
import { skipped, verdict } from '../verdict.mjs';
import { writeConfig } from './config.mjs';

const COUNT = 50;
const QUICK_COUNT = 3;
const ROUNDS = 15;
const TARGET = 2;
const CLAIM = `a listing of ${COUNT} known servers starts no process and takes at most ${TARGET} times the bare parsing`;
const CLI = new URL('../../dist/cli/main.js', import.meta.url);
const OURS = 'fairlead tools --json';
const BARE = 'import yaml and zod, parse the same files';

/** Fifty servers that were seen before: from the start of the process to the printed list. */
export const warmCatalog = {
  name: 'warm-catalog',
  title: 'Warm catalog of 50 servers',
  async run({ isQuick }) {
    return withFolder(async (folder) => {
      const setup = writeConfig(folder, isQuick ? QUICK_COUNT : COUNT);
      const cold = await list(setup);
      const processes = await countProcesses(setup);
      if (processes > 0) return notYet(processes);
      const files = [setup.config, ...filesUnder(setup.stateFolder)];
      const variants = {
        [OURS]: async () => {
          const warm = await list(setup);
          if (warm.stdout !== cold.stdout) throw new Error('the list from the cache is not the list of the servers');
          return warm.elapsedMs;
        },
        [BARE]: async () => (await runScript(new URL('parse-only.mjs', import.meta.url), { args: files })).elapsedMs,
      };
      const samples = await interleave(Object.keys(variants), isQuick ? 1 : ROUNDS, (label) => variants[label]());
      return report(samples, files.length);
    });
  },
};

/** One run of the command, with what it should list. */
async function list({ config, stateFolder, count }, { nodeArgs = [], env = {} } = {}) {
  const args = ['tools', '--json', '--config', config];
  const run = await runScript(CLI, { args, nodeArgs, env: { ...env, FAIRLEAD_HOME: stateFolder } });
  const { length } = JSON.parse(run.stdout);
  if (length !== count) throw new Error(`${length} tools were listed, not ${count}`);
  return run;
}

/** What one warm listing starts; counted in a run of its own, so that counting costs the timed ones nothing. */
async function countProcesses(setup) {
  const counter = new URL('count-processes.mjs', import.meta.url).href;
  await list(setup, { nodeArgs: ['--import', counter], env: { PROCESS_LOG: setup.processLog } });
  return readFileSync(setup.processLog, 'utf8').split('\n').length - 1;
}

function notYet(processes) {
  const reason = `the second listing started ${processes} processes: there is no catalog cache yet`;
  return { text: `Not measured: ${reason}.`, verdicts: [skipped(CLAIM, reason)] };
}

function report(samples, files) {
  const [times, bare] = [samples.get(OURS), samples.get(BARE)];
  const ratios = pairedRatios(times, bare);
  const rows = [
    [OURS, spreadText(times), spreadText(ratios, 2), '0'],
    [BARE, spreadText(bare), '1', '0'],
  ];
  const ratio = median(ratios);
  const claim = `${CLAIM}: ${numberText(ratio, 2)}`;
  return {
    text: `${times.length} rounds; ${files} files:\n\n${renderTable(['program', 'ms, start to end', 'ratio', 'processes started'], rows)}`,
    verdicts: [verdict(claim, ratio <= TARGET)],
  };
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
