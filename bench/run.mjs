import { writeFileSync } from 'node:fs';
import { calls } from './calls/bench.mjs';
import { connect20 } from './connect20/bench.mjs';
import { describeEnvironment } from './environment.mjs';
import { governedParts } from './governed-parts/bench.mjs';
import { leak } from './leak/bench.mjs';
import { memory } from './memory/bench.mjs';
import { parseOptions } from './options.mjs';
import { renderVerdict } from './verdict.mjs';
import { warmCatalog } from './warm-catalog/bench.mjs';

const BENCHES = [calls, governedParts, connect20, warmCatalog, leak, memory];
const RESULTS = new URL('RESULTS.md', import.meta.url);

/** Runs the benches, or one of them; a whole run is written down. Gives the exit status: 1 when a promise is missed. */
export async function bench(args) {
  const options = parseOptions(
    args,
    BENCHES.map(({ name }) => name),
  );
  const environment = describeEnvironment();
  console.log(environment.join('\n'));
  const sections = [];
  const verdicts = [];
  for (const each of BENCHES) {
    if (options.only !== undefined && options.only !== each.name) continue;
    const { text, verdicts: own } = await each.run(options);
    // A smoke run shows that the benches work; its numbers mean nothing.
    const shown = options.isQuick ? [] : own;
    verdicts.push(...shown);
    sections.push(renderSection(each, text, shown));
    console.log(`\n${sections.at(-1)}`);
  }
  if (options.only === undefined && !options.isQuick) writeFileSync(RESULTS, renderResults(environment, sections));
  return verdicts.some(({ status }) => status === 'missed') ? 1 : 0;
}

function renderSection({ name, title }, text, verdicts) {
  const lines = verdicts.map((each) => `- ${renderVerdict(each)}`);
  return [`## ${title} (\`${name}\`)`, '', text, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
}

function renderResults(environment, sections) {
  const head = [
    '# Bench results',
    '',
    'Written by `npm run bench`. In each round all variants take turns, so that noise hits all of them alike;',
    'ratios are taken within a round. Numbers are medians with the smallest and the largest in brackets.',
    '',
    ...environment.map((line) => `- ${line}`),
  ];
  return `${head.join('\n')}\n\n${sections.join('\n\n')}\n`;
}
