import { median, pairedRatios } from '../bench/statistics.mjs';
import { AgentRun } from '../dist/prompt/disclosure/agent-run.js';
import { definitionText } from '../dist/prompt/disclosure/definition-text.js';
import { closedPrompt, hubKnowing } from './npm-servers.mjs';

const TOOLS_PER_SECTION = 10;
const ROUNDS = 31;
// Each measurement renders so many in all, because a single rendering is over before the clock has moved much.
const SECTIONS_PER_ROUND = 8000;

/** Rendering few and many sections against joining the same text and definitions: all by turns in one run, in processor time. */
export async function measureScale(sizes) {
  const subjects = [];
  for (const size of sizes) subjects.push(await prepare(size));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { size, ways, times } of subjects) {
      for (const [way, work] of Object.entries(ways)) times[way].push(await timeOf(work, SECTIONS_PER_ROUND / size));
    }
  }
  for (const { hub } of subjects) await hub.close();
  return subjects.map((subject, place) => describe(subject, subjects[place - 1]));
}

/** Ratios are taken within each round, so that what slowed all of it does not count. */
function describe({ size, tools, closedCharacters, times }, smaller) {
  const growth = (way) => smaller && median(pairedRatios(times[way], smaller.times[way]));
  return {
    sections: size,
    tools,
    closedCharacters,
    renderMs: median(times.render),
    joinMs: median(times.join),
    ratio: median(pairedRatios(times.render, times.join)),
    ratioToCollecting: median(pairedRatios(times.renderOnly, times.collect)),
    growth: growth('render'),
    growthOfJoining: growth('join'),
  };
}

async function prepare(size) {
  const servers = Array.from({ length: size }, (_, index) => madeUpServer(index));
  const hub = hubKnowing(servers);
  const prompt = closedPrompt(servers, { visibility: 'full' });
  const run = await AgentRun.open(prompt, { hub });
  const blocks = run.text.split('\n\n');
  const specs = servers.map(({ name }) => run.hub.tools(name));
  const texts = specs.map((tools) => tools.map(definitionText));
  const textsOf = new Map(servers.map(({ name }, place) => [name, texts[place]]));
  const ways = {
    // Both end with one text of the prompt and one of all definitions, which were made before, for each server.
    join: () => [blocks.join('\n\n'), texts.map((list) => list.join()).join()],
    render: async () => {
      const { text, mcps } = await prompt.render();
      return [text, mcps.map(({ name }) => textsOf.get(name).join()).join()];
    },
    // Both end with one text of the prompt and a list of the tools.
    collect: () => [blocks.join('\n\n'), collected(specs)],
    renderOnly: async () => [(await prompt.render()).text, run.hub.tools()],
  };
  const [joined, rendered] = [ways.join(), await ways.render()];
  if (joined.join() !== rendered.join()) throw new Error('what is compared is not the same');
  const closed = await AgentRun.open(closedPrompt(servers), { hub });
  const times = { join: [], render: [], collect: [], renderOnly: [] };
  return { size, hub, ways, times, tools: run.hub.tools().length, closedCharacters: closed.text.length };
}

/** As cheaply as it can be done; `flat` takes several times as long. */
function collected(lists) {
  const all = [];
  for (const list of lists) for (const item of list) all.push(item);
  return all;
}

function madeUpServer(index) {
  const tools = Array.from({ length: TOOLS_PER_SECTION }, (_, tool) => ({
    name: `tool_${index}_${tool}`,
    description: `Does thing ${tool} of ${index}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Where.' } } },
  }));
  return { name: `server-${index}`, description: `Things of kind ${index}.`, tools };
}

/** In milliseconds of this process's own processor time, so that what else the machine does counts less. */
async function timeOf(work, times) {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
