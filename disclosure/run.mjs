import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/project.mjs';

const DATA = '../shared/data/npm-servers/tools.jsonl';
const MOST_TOKENS = 3000;
const MOST_RATIO = 4;
// Four times the sections may take four times as long, and a little for what a machine does beside.
const MOST_GROWTH = 6;

/** What closed sections cost a model and what they hide from it, measured; gives the exit status. */
export async function disclosure() {
  const isStartGood = await showStart();
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

const WAYS = {
  name: 'by the name that agents call',
  select: 'by select:name',
  own: "by the server's own name for it",
  sentence: 'by the first sentence about it',
};

async function showScale() {
  const { measureScale } = await import('./render-scale.mjs');
  const [small, large] = [await measureScale(250), await measureScale(1000)];
  console.log('Rendering open sections, against joining the same text and cached definitions');
  for (const { sections, tools, renderMs, joinMs, closedCharacters } of [small, large]) {
    const ratio = (renderMs / joinMs).toFixed(2);
    console.log(
      `  ${sections} sections, ${tools} tools: ${renderMs.toFixed(3)} ms, joining ${joinMs.toFixed(3)} ms, ratio ${ratio}; closed ${closedCharacters} characters`,
    );
  }
  const ratio = large.renderMs / large.joinMs;
  const growth = large.renderMs / small.renderMs;
  const isGood = ratio <= MOST_RATIO && growth <= MOST_GROWTH;
  console.log(`  grows ${growth.toFixed(1)} times for 4 times the sections`);
  console.log(`  promise: at most ${MOST_RATIO} times joining, and linear: ${isGood ? 'kept' : 'MISSED'}`);
  return isGood;
}

function show(what, cases) {
  const shown = cases.slice(0, 8).join(', ');
  console.log(`    ${what}: ${cases.length}${cases.length > 0 ? `: ${shown}${cases.length > 8 ? ', …' : ''}` : ''}`);
}

function number(value) {
  return value.toLocaleString('en');
}
