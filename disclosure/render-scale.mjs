import { performance } from 'node:perf_hooks';
import { AgentRun } from '../dist/prompt/disclosure/agent-run.js';
import { definitionText } from '../dist/prompt/disclosure/definition-text.js';
import { closedPrompt, hubKnowing } from './npm-servers.mjs';

const TOOLS_PER_SECTION = 10;
const ROUNDS = 41;

/** Rendering many sections against joining the same text and the same definitions, by turns in one run. */
export async function measureScale(sections) {
  const servers = Array.from({ length: sections }, (_, index) => madeUpServer(index));
  const hub = hubKnowing(servers);
  const prompt = closedPrompt(servers, { visibility: 'full' });
  const run = await AgentRun.open(prompt, { hub });
  const { text } = run;
  const blocks = text.split('\n\n');
  const definitions = new Map(run.hub.tools().map((tool) => [tool, definitionText(tool)]));
  const lists = servers.map(({ name }) => run.hub.tools(name).map((tool) => definitions.get(tool)));
  // Both end with one text of the prompt and one of all definitions, each of which was made before.
  const join = () => [blocks.join('\n\n'), lists.map((list) => list.join()).join()];
  const render = async () => {
    const rendered = await prompt.render();
    return [
      rendered.text,
      run.hub
        .tools()
        .map((tool) => definitions.get(tool))
        .join(),
    ];
  };
  if (join().join() !== (await render()).join()) throw new Error('what is compared is not the same');
  const times = { join: [], render: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.join.push(await timeOf(join));
    times.render.push(await timeOf(render));
  }
  const closed = await AgentRun.open(closedPrompt(servers), { hub });
  await hub.close();
  return {
    sections,
    tools: definitions.size,
    joinMs: median(times.join),
    renderMs: median(times.render),
    closedCharacters: closed.text.length,
  };
}

function madeUpServer(index) {
  const tools = Array.from({ length: TOOLS_PER_SECTION }, (_, tool) => ({
    name: `tool_${index}_${tool}`,
    description: `Does thing ${tool} of ${index}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Where.' } } },
  }));
  return { name: `server-${index}`, description: `Things of kind ${index}.`, tools };
}

async function timeOf(work) {
  const startedAt = performance.now();
  // Ten at once, because one is over before the clock has moved much.
  for (let time = 0; time < 10; time += 1) await work();
  return (performance.now() - startedAt) / 10;
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];
}
