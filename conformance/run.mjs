// Runs the official suite against our client, for every revision it scores, and prints what counts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SetUpError } from '../scripts/project.mjs';

/** How many scenarios the suite scores, by protocol revision. */
const SCORED = { '2025-11-25': 18, '2026-07-28': 32 };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Gives the exit status: 0 when every scored scenario of every revision passed. */
export async function conformance(args) {
  const wanted = args.length > 0 ? args : Object.keys(SCORED);
  let missing = 0;
  for (const revision of wanted) missing += await runRevision(revision);
  console.log(missing === 0 ? 'Every scored scenario passed.' : `${missing} scored scenarios did not pass.`);
  return missing === 0 ? 0 : 1;
}

async function runRevision(revision) {
  if (!(revision in SCORED))
    throw new SetUpError(`There is no revision '${revision}'; known: ${Object.keys(SCORED).join(', ')}`);
  console.log(`\nRevision ${revision}`);
  const output = await suite(['--requirements', revision]);
  const unscored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const results = [...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, mark, name, passed, failed]) => {
      return { name, isPassed: mark === '✓' && Number(passed) > 0, passed, failed, isScored: !unscored.has(name) };
    },
  );
  for (const result of results) {
    // The suite starts everything at once; on a small machine its own clock then runs out now and then.
    if (!result.isPassed && result.isScored) await retry(result, revision);
    const mark = result.isPassed ? '✓' : '✗';
    console.log(
      `  ${mark} ${result.name} (${result.passed} checks)${result.note ?? ''}${result.isScored ? '' : ' [not scored]'}`,
    );
  }
  const scored = results.filter(({ isScored }) => isScored);
  const passed = scored.filter(({ isPassed }) => isPassed).length;
  console.log(
    `  scored: ${passed}/${SCORED[revision]}; not scored: ${results.filter((each) => !each.isScored && each.isPassed).length}/${unscored.size}`,
  );
  if (scored.length !== SCORED[revision])
    console.log(`  the suite scored ${scored.length} scenarios, not ${SCORED[revision]}:\n${output.slice(-2000)}`);
  return SCORED[revision] - passed;
}

async function retry(result, revision) {
  const output = await suite(['--scenario', result.name, '--spec-version', revision]);
  const [, passed] = /Passed: (\d+)\//.exec(output) ?? [];
  result.isPassed = output.includes('OVERALL: PASSED');
  result.passed = passed ?? '0';
  result.note = result.isPassed ? ' on the second try' : `, failed twice:\n${failuresOf(output)}`;
}

function failuresOf(output) {
  return output
    .slice(output.indexOf('Failed Checks'))
    .split('\n')
    .slice(0, 12)
    .map((line) => `      ${line}`)
    .join('\n');
}

/** The suite needs a newer Node than we do; the client under test runs on ours. */
function suite(args) {
  const script = here('node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const command = `${process.execPath} ${here('client.mjs')}`;
  return new Promise((resolve, reject) => {
    const child = spawn(suiteNode(), [script, 'client', '--command', command, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(output).toString()));
  });
}

function suiteNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const path = here(`node_modules/node-linux-${process.arch}/bin/node`);
  if (existsSync(path)) return path;
  throw new SetUpError(
    `The suite needs Node 22, and there is none for ${process.platform}-${process.arch} in conformance/node_modules.`,
  );
}
