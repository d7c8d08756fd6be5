import { toDocument } from './sets.mjs';

const TOOLS = 4000;
const BUILDS = 5;

/** Processor time of building an index over 4,000 tools and of searching in it; other programs' load does not count. */
export function measureSpeed(sets, { ToolSearchIndex, buildBaseline }) {
  const rows = manyRows(sets);
  const documents = rows.map(toDocument);
  const builds = { ours: [], baseline: [] };
  for (let round = 0; round < BUILDS; round += 1) {
    builds.ours.push(processorMs(() => new ToolSearchIndex(documents)));
    builds.baseline.push(processorMs(() => buildBaseline(rows)));
  }
  const index = new ToolSearchIndex(documents);
  const queries = sets.flatMap((set) => set.queries).slice(0, 2000);
  const searches = queries
    .map(({ query }) => processorMs(() => index.search(query)))
    .toSorted((left, right) => left - right);
  const largest = 'postman-postman-mcp-server';
  return {
    tools: documents.length,
    firstBuildMs: builds.ours[0],
    buildMs: Math.min(...builds.ours),
    baselineBuildMs: Math.min(...builds.baseline),
    p50Ms: searches[Math.floor(searches.length * 0.5)],
    p95Ms: searches[Math.floor(searches.length * 0.95)],
    removeMs: processorMs(() => index.setServer(largest, [])),
    removed: documents.length - index.size,
  };
}

function manyRows(sets) {
  const distinct = [
    ...new Map(sets.flatMap(({ tools }) => tools).map((row) => [`${row.server}/${row.tool}`, row])).values(),
  ];
  const copies = distinct.map((row) => ({ ...row, server: `${row.server}-copy` }));
  return [...distinct, ...copies].slice(0, TOOLS);
}

function processorMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
