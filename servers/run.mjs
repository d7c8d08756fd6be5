// Declares every listed server in one hub, connects them all, uses each a little and says how it went.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Hub, VERSION } from '../dist/index.js';
import { root, SetUpError } from '../scripts/project.mjs';
import { declareServer } from './declare-server.mjs';
import { findLeftProcesses } from './left-processes.mjs';
import { renderNotes, renderPage, renderSummary, renderText } from './report.mjs';
import { tryServer } from './try-server.mjs';
import { judge } from './verdict.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Gives the exit status: 1 when a server failed by our fault or a process was left, 2 for wrong usage. */
export async function servers(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  const entries = chooseEntries(options.only);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-servers-')));
  try {
    const report = withoutPaths(await tryAll(entries, folder), folder);
    if (options.only.length === 0) writeFileSync(here('RESULTS.md'), renderPage(report));
    print(report, options.json);
    return report.left.length > 0 || report.rows.some(({ fault }) => fault === 'ours') ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions(args) {
  try {
    const options = {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
    };
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(`${error.message}\nUsage: npm run servers -- [--json] [--only NAME]…`);
    return undefined;
  }
}

function chooseEntries(only) {
  const entries = JSON.parse(readFileSync(here('list.json'), 'utf8'));
  const unknown = only.filter((name) => !entries.some((entry) => entry.name === name));
  if (unknown.length > 0) throw new SetUpError(`The list has no server '${unknown.join("', '")}'.`);
  return only.length > 0 ? entries.filter(({ name }) => only.includes(name)) : entries;
}

async function tryAll(entries, folder) {
  const mark = { FAIRLEAD_SERVERS_RUN: randomUUID() };
  // All of them start at once here, and some need longer than the usual two seconds to say which era they speak.
  const limits = { eraProbeMs: 15_000 };
  const hub = new Hub({ servers: entries.map((entry) => declareServer(entry, folder, mark)), limits });
  const rows = [];
  let pids = [];
  try {
    await connectAll(hub, entries.length);
    pids = hub.status().flatMap(({ pid }) => pid ?? []);
    for (const entry of entries) {
      const seen = await tryServer(hub, entry, join(folder, entry.name));
      rows.push({ ...seen, ...judge(entry, seen) });
    }
  } finally {
    await hub.close();
  }
  return { ...circumstances(), rows, left: await findLeftProcesses(mark, pids) };
}

async function connectAll(hub, total) {
  let settled = 0;
  const stop = hub.on('server-changed', ({ server, phase }) => {
    if (phase !== 'connected' && phase !== 'failed') return;
    settled += 1;
    console.error(`[${settled}/${total}] ${server} ${phase}`);
  });
  await hub.connectAll();
  stop();
}

function circumstances() {
  return {
    date: new Date().toISOString().slice(0, 10),
    fairlead: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** Servers name files of this machine in what they say; the report speaks of the project alone. */
function withoutPaths(report, folder) {
  const inJson = (path) => JSON.stringify(path).slice(1, -1);
  const text = JSON.stringify(report).replaceAll(inJson(folder), '{folder}').replaceAll(inJson(root), '');
  return JSON.parse(text);
}

function print(report, asJson) {
  if (asJson) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  console.log(renderText(report.rows));
  const notes = renderNotes(report.rows);
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`);
  console.log(`\n${renderSummary(report).join('\n')}`);
}
