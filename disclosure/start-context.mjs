import { textOf } from '../dist/index.js';
import { AgentRun } from '../dist/prompt/disclosure/agent-run.js';
import { definitionText } from '../dist/prompt/disclosure/definition-text.js';
import { closedPrompt, houseRules, hubKnowing } from './npm-servers.mjs';

/** What a model is given at the start with every section closed, and which tools it can still find. */
export async function measureStart(servers, count) {
  const hub = hubKnowing(servers);
  const run = await AgentRun.open(closedPrompt(servers, { more: [houseRules()] }), { hub });
  const tools = run.tools();
  const named = servers.flatMap(({ name, tools: own }) =>
    own.map((tool) => ({ server: name, ...tool, name: run.hub.toolName(name, tool.name), own: tool.name })),
  );
  const asListed = servers.flatMap(({ tools: own }) => own.map((tool) => count(definitionText(tool))));
  const found = {
    servers: servers.length,
    tools: named.length,
    inline: sum(asListed),
    text: count(run.text),
    disclosure: sum(tools.map((tool) => count(definitionText(tool)))),
    lost: await lookUp(run, named),
    small: smallServers(servers, count),
  };
  await hub.close();
  return found;
}

/** Tools that a way of asking does not find among ten. */
async function lookUp(run, tools) {
  const lost = { name: [], select: [], own: [], sentence: [] };
  for (const { name, own, server, description } of tools) {
    const finds = async (query) => textOf((await run.call('search_tools', { query })).content).includes(`- ${name} (`);
    if (!(await finds(name))) lost.name.push(name);
    if (!(await finds(`select:${name}`))) lost.select.push(name);
    if (!(await finds(own))) lost.own.push(`${server}/${own}`);
    const [sentence] = description.split(/(?<=[.!?])\s/);
    if (sentence && !(await finds(sentence.slice(0, 300)))) lost.sentence.push(`${server}/${own}`);
  }
  return lost;
}

/** Servers that cost less when they are simply shown than the tools for opening do. */
function smallServers(servers, count) {
  return servers
    .map(({ name, tools }) => ({ name, tokens: sum(tools.map((tool) => count(definitionText(tool)))) }))
    .filter(({ tokens }) => tokens < 500);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
