import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import { countNamed } from './names.mjs';
import { readSets, toDocument } from './sets.mjs';
import { measureSpeed } from './speed.mjs';

const DATA = '../shared/data';
const FIGURES = ['R@1', 'R@5', 'R@10', 'nDCG@10'];
const MAX_LOSS = 0.01;

/** Holds the tool search against a plain BM25 on the same sets; gives the exit status. */
export async function search() {
  const folder = join(root, DATA);
  const baselineFile = join(folder, 'baseline-lib.mjs');
  const sets = existsSync(baselineFile) ? readSets(folder) : [];
  if (sets.length === 0) {
    console.log(`Nothing was measured: the data is not in ${DATA}, beside the project.`);
    return 0;
  }
  const baseline = await import(pathToFileURL(baselineFile).href);
  const { ToolSearchIndex } = await import('../../dist/prompt/search/tool-search-index.js');
  const { toolName } = await import('../../dist/tools/tool-name.js');
  const buildBaseline = (rows) => buildIndex(rows, baseline);
  // Measured first, before anything has made the code warm.
  const speed = measureSpeed(sets, { ToolSearchIndex, buildBaseline });
  const isRankingGood = printRanking(sets, { baseline, ToolSearchIndex });
  printSections(sets, { baseline, ToolSearchIndex });
  const publicTools = sets.find(({ name }) => name === 'own steps')?.tools;
  const areNamesFound = publicTools === undefined || printNames(countNamed(publicTools, { ToolSearchIndex, toolName }));
  printSpeed(speed);
  return isRankingGood && areNamesFound ? 0 : 1;
}

function printRanking(sets, { baseline, ToolSearchIndex }) {
  console.log(`${'set, queries'.padEnd(28)}${FIGURES.map((figure) => `${figure}  ours   gain`.padStart(24)).join('')}`);
  const losses = sets.flatMap(({ name, tools, queries }) => {
    const index = new ToolSearchIndex(tools.map(toDocument));
    const plain = buildIndex(tools, baseline);
    const ids = tools.map(baseline.id);
    const theirs = measure(queries, baseline, (query) => rankPlainly(query, { baseline, plain, ids }));
    const ours = measure(queries, baseline, (query) => index.search(query, { limit: 20 }).map((hit) => hit.name));
    const cells = FIGURES.map((figure) => cellText(theirs[figure], ours[figure]));
    console.log(`${`${name}, ${queries.length}`.padEnd(28)}${cells.join('')}`);
    return FIGURES.filter((figure) => ours[figure] < theirs[figure] - MAX_LOSS).map((figure) => `${name} ${figure}`);
  });
  for (const loss of losses) console.log(`  more than ${MAX_LOSS} below the baseline: ${loss}`);
  return losses.length === 0;
}

/** A server stands for a section; a wish is served when a section with one of its tools is shown. */
function printSections(sets, { baseline, ToolSearchIndex }) {
  console.log('\nsections                         R@1    R@3    R@5');
  for (const { name, tools, queries } of sets.filter(
    (set) => new Set(set.tools.map(({ server }) => server)).size > 1,
  )) {
    const index = new ToolSearchIndex(tools.map(toDocument));
    const serverOf = new Map(tools.map((row) => [baseline.id(row), row.server]));
    const figures = baseline.mean(
      queries.map((query) => {
        const wanted = baseline.slots(query).map((ids) => new Set([...ids].map((id) => serverOf.get(id))));
        const distinct = [
          ...new Map(wanted.map((servers) => [[...servers].toSorted(compareText).join('\n'), servers])).values(),
        ];
        const found = index.searchSections(query.query, { limit: 20 }).map(({ section }) => section);
        return baseline.metrics(found, distinct);
      }),
    );
    console.log(
      `  ${name.padEnd(26)}${['R@1', 'R@3', 'R@5'].map((key) => figures[key].toFixed(3).padStart(7)).join('')}`,
    );
  }
}

function compareText(left, right) {
  return left < right ? -1 : 1;
}

function measure(queries, { metrics, slots, mean }, rank) {
  return mean(queries.map((query) => metrics(rank(query.query), slots(query))));
}

function rankPlainly(query, { baseline, plain, ids }) {
  const ranked = baseline.rank(plain.score(baseline.tok(query)));
  return ranked.slice(0, 20).map((place) => ids[place]);
}

// The fields and weights of the published baseline.
function buildIndex(rows, { BM25, tok, schemaText }) {
  return new BM25(
    rows.map((row) => [
      [tok(row.tool), 3],
      [tok(row.description), 1],
      [tok(schemaText(row.inputSchema)), 0.5],
      [tok(`${row.server} ${row.server_name ?? ''}`), 2],
      [tok(row.server_description ?? ''), 0.5],
    ]),
  );
}

function cellText(theirs, ours) {
  const gain = ours - theirs;
  return `${theirs.toFixed(3)} ${ours.toFixed(3)} ${gain < 0 ? '' : '+'}${gain.toFixed(3)}`.padStart(24);
}

function printNames({ tools, ways }) {
  console.log('\nfound by name');
  for (const [way, found] of Object.entries(ways)) console.log(`  ${way.padEnd(22)} ${found} of ${tools}`);
  return Object.values(ways).every((found) => found === tools);
}

function printSpeed(speed) {
  const ratio = (speed.buildMs / speed.baselineBuildMs).toFixed(2);
  console.log(`\n${speed.tools} tools, processor time`);
  console.log(
    `  build    ${speed.buildMs.toFixed(0)} ms, ${ratio} of the baseline's; the first one ${speed.firstBuildMs.toFixed(0)} ms`,
  );
  console.log(`  search   ${speed.p50Ms.toFixed(2)} ms in the middle, ${speed.p95Ms.toFixed(2)} ms at the 95th of 100`);
  console.log(`  removing a server of ${speed.removed} tools   ${speed.removeMs.toFixed(0)} ms`);
}
