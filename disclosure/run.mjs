import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/project.mjs';

const DATA = '../shared/data/npm-servers/tools.jsonl';
const MOST_TOKENS = 3000;
const MOST_RATIO = 4;
// In relation to joining, which is linear: what no longer fits into a processor's caches slows both. render-linear.test.ts counts.
const MOST_GROWTH = 1.5;

/** What closed sections cost a model and what they hide from it, measured; gives the exit status. */
export async function disclosure() {
  const isStartGood = await showStart();
  await showReplay();
  const isScaleGood = await showScale();
  return isStartGood && isScaleGood ? 0 : 1;
}

async function showStart() {
  const file = join(root, DATA);
  if (!existsSync(file)) {
    console.log(`The start context was not measured: the tool lists are not in ${DATA}, beside the project.\n`);
    return true;
  }
  const { readServers } = await import('./npm-servers.mjs');
  const { measureStart } = await import('./start-context.mjs');
  const { countTokens, TOKEN_METHOD } = await import('../dist/prompt/disclosure/token-counter.js');
  const start = await measureStart(readServers(file), await countTokens());
  const total = start.text + start.disclosure;
  const { tools, lost } = start;
  console.log(`Start context, ${start.servers} public servers with ${tools} tools; tokens by ${TOKEN_METHOD}`);
  console.log(`  all definitions inline  ${number(start.inline)} tokens, ${tools} of ${tools} in sight`);
  console.log(
    `  every section closed    ${number(total)} tokens (list ${start.text}, tools that open ${start.disclosure})`,
  );
  console.log('  found with the sections closed, among the first ten:');
  for (const [way, missed] of Object.entries(lost))
    console.log(`    ${WAYS[way].padEnd(36)} ${tools - missed.length} of ${tools}`);
  console.log('  losing cases:');
  show('own name means another tool first', lost.own);
  show('own first sentence does not find it', lost.sentence);
  show(
    'cheaper inline than the tools that open',
    start.small.map(({ name, tokens }) => `${name} (${tokens})`),
  );
  const isGood = total <= MOST_TOKENS && lost.name.length === 0 && lost.select.length === 0;
  console.log(
    `  promise: at most ${number(MOST_TOKENS)} tokens, every tool by its name: ${isGood ? 'kept' : 'MISSED'}\n`,
  );
  return isGood;
}

/** The figures themselves are held by a test; here they are told. */
async function showReplay() {
  const { losingCases, replayAll } = await import('./replay.mjs');
  const library = await import('../dist/index.js');
  const { countTokens } = await import('../dist/prompt/disclosure/token-counter.js');
  const { definitionText } = await import('../dist/prompt/disclosure/definition-text.js');
  const rows = await replayAll({ ...library, definitionText, count: await countTokens() });
  console.log('A scripted agent that knows which tools it wants, by how it gets to them; no model was asked');
  console.log(`  ${row(['task', 'way', 'first', 'all tokens', 'turns', 'calls', 'tools found'])}`);
  for (const { task, way, start, input, turns, calls, found, wanted } of rows)
    console.log(`  ${row([task, way, start, number(input), turns, calls, `${found} of ${wanted}`])}`);
  console.log('  losing cases:');
  for (const lost of losingCases(rows)) console.log(`    ${lost}`);
  console.log('');
}

function row([task, way, ...numbers]) {
  return [task.padEnd(26), way.padEnd(9), ...numbers.map((value) => String(value).padStart(13))].join('');
}

const WAYS = {
  name: 'by the name that agents call',
  select: 'by select:name',
  own: "by the server's own name for it",
  sentence: 'by the first sentence about it',
};

async function showScale() {
  const { measureScale } = await import('./render-scale.mjs');
  const scales = await measureScale([250, 1000, 4000]);
  console.log('Rendering open sections, against joining the same text and cached definitions; processor time');
  for (const { sections, tools, renderMs, joinMs, ratio, closedCharacters, ...scale } of scales) {
    console.log(
      `  ${sections} sections, ${tools} tools: ${renderMs.toFixed(3)} ms, joining ${joinMs.toFixed(3)} ms, ratio ${ratio.toFixed(2)}; ` +
        `without joining definitions ${scale.ratioToCollecting.toFixed(1)} of collecting references; closed ${closedCharacters} characters`,
    );
    if (scale.growth === undefined) continue;
    console.log(
      `    grows ${scale.growth.toFixed(1)} times for 4 times the sections, joining ${scale.growthOfJoining.toFixed(1)} times`,
    );
  }
  const isGood = scales.every(
    ({ ratio, growth = 0, growthOfJoining = 0 }) => ratio <= MOST_RATIO && growth <= MOST_GROWTH * growthOfJoining,
  );
  console.log(
    `  promise: at most ${MOST_RATIO} times joining, and linear as joining is: ${isGood ? 'kept' : 'MISSED'}`,
  );
  return isGood;
}

function show(what, cases) {
  const shown = cases.slice(0, 8).join(', ');
  console.log(`    ${what}: ${cases.length}${cases.length > 0 ? `: ${shown}${cases.length > 8 ? ', …' : ''}` : ''}`);
}

function number(value) {
  return value.toLocaleString('en');
}
