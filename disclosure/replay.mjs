import { fileURLToPath } from 'node:url';
import { REPLAY_SERVERS } from '../test/fixtures/servers/replay-tools.mjs';

/** How an agent gets to its tools: all shown, by opening the right sections, or by searching for each step. */
const WAYS = ['eager', 'sections', 'search'];

// What a search shows of each step; an agent that must read more of it pays for that too.
const SEARCH_LIMIT = 3;

function step(path, query, args) {
  const [server, tool] = path.split('/');
  return { server, tool, query, args };
}

/** What is to be done, and with which tools; the queries are what a model might ask, written before any was run. */
const TASKS = [
  { name: 'one tool', steps: [step('notes/read_note', 'read a note', { path: 'todo' })] },
  {
    name: 'two tools of one section',
    steps: [
      step('notes/read_note', 'read a note', { path: 'todo' }),
      step('notes/write_note', 'write a note', { path: 'done', body: 'all' }),
    ],
  },
  {
    name: 'three sections',
    steps: [
      step('weather/forecast', 'weather of the next days', { place: 'Oslo' }),
      step('calendar/create_event', 'add an appointment', { title: 'Sail', at: 'Friday' }),
      step('files/write_file', 'write a file on the local disk', { path: 'a.md', content: 'Sail' }),
    ],
  },
  { name: 'a large section', steps: [step('crm/archive_invoice', 'archive an invoice', { id: '7' })] },
  {
    name: 'a name twice',
    steps: [step('drive/write_file', 'save a document on the drive', { name: 'a', content: 'b' })],
  },
  {
    name: 'no word in common',
    steps: [step('calendar/list_events', 'what is on my agenda', { from: 'a', to: 'b' })],
  },
  { name: 'another language', steps: [step('tupian/suofang', 'resize an image', { wenjian: 'a.png' })] },
  {
    name: 'one small server',
    servers: ['weather'],
    steps: [step('weather/forecast', 'weather of the next days', { place: 'Oslo' })],
  },
];

/** Plays every task in every way through the library that is given; gives what each cost and whether its tools were found. */
export async function replayAll(library) {
  const servers = Object.keys(REPLAY_SERVERS).map((name) => declare(library, name));
  const hub = new library.Hub({ servers });
  try {
    // So that their tools are known: what a first start costs is told elsewhere.
    await hub.connectAll();
    const rows = [];
    for (const task of TASKS) {
      for (const way of WAYS) rows.push(await replay({ library, hub, task, way, servers }));
    }
    return rows;
  } finally {
    await hub.close();
  }
}

/** Where hiding did not pay: a tool was not found, or all of it cost more than showing everything. */
export function losingCases(rows) {
  return rows.flatMap(({ task, way, input, found, wanted }) => {
    const eager = rows.find((row) => row.task === task && row.way === 'eager');
    const lost = found < wanted ? [`found ${found} of ${wanted}`] : [];
    const dear = input > eager.input ? [`${input} tokens, where showing all costs ${eager.input}`] : [];
    const reasons = [...lost, ...dear];
    return reasons.length === 0 ? [] : [`${task}, ${way}: ${reasons.join('; ')}`];
  });
}

async function replay({ library, hub, task, way, servers }) {
  const wanted = servers.filter(({ name }) => task.servers?.includes(name) ?? true);
  const plan = PLANS[way](task.steps);
  const asked = [];
  let found = 0;
  const model = {
    respond: (request) => {
      asked.push(tokensOf(request, library));
      const last = request.messages.at(-1);
      const { value, done } = plan.next({ text: last?.text ?? '', tools: request.tools });
      if (!done) return Promise.resolve({ toolCalls: [{ id: `call-${asked.length}`, ...value }] });
      found = value;
      return Promise.resolve({ text: 'Done.' });
    },
  };
  const disclosure = way === 'eager' ? 'eager' : way;
  const { turns, calls, messages } = await library.evaluate(promptOf(library, wanted), model, { hub, disclosure });
  const failed = messages.filter(({ role, isError }) => role === 'tool' && isError).length;
  const input = asked.reduce((sum, tokens) => sum + tokens, 0);
  return { task: task.name, way, start: asked[0], input, turns, calls, failed, found, wanted: task.steps.length };
}

/** Each gives the calls of an agent that knows what it wants, and at last how many of the wanted tools it got to call. */
const PLANS = {
  *eager(steps) {
    for (const { server, tool, args } of steps) yield call(nameOf(server, tool), args);
    return steps.length;
  },
  *sections(steps) {
    const keys = [...new Set(steps.map(({ server }) => server))];
    let seen = yield call('open_sections', { section_keys: keys, reason: 'the task needs them' });
    for (const { server, tool, args } of steps) {
      const name = nameOf(server, tool);
      // A definition that is held back is asked for first, as a careful model would.
      if (!seen.tools.some((shown) => shown.name === name))
        seen = yield call('search_tools', { query: `select:${name}` });
      seen = yield call(name, args);
    }
    return steps.length;
  },
  *search(steps) {
    let found = 0;
    for (const { server, tool, query, args } of steps) {
      const name = nameOf(server, tool);
      const { text } = yield call('search_tools', { query, limit: SEARCH_LIMIT, open: true });
      // Told among the hits, and not merely as a neighbour in a section that was opened for another.
      if (!text.split('\n\n')[0].includes(`- ${name}:`)) continue;
      found += 1;
      yield call(name, args);
    }
    return found;
  },
};

function call(name, args) {
  return { name, arguments: args };
}

function nameOf(server, tool) {
  return `mcp__${server}__${tool}`;
}

function declare({ McpServer }, name) {
  const script = fileURLToPath(new URL('../test/fixtures/servers/replay-server.mjs', import.meta.url));
  return McpServer.stdio(name, process.execPath, [script, name], { description: REPLAY_SERVERS[name].about });
}

function promptOf({ MarkdownSection, PromptTemplate }, servers) {
  const sections = servers.map(
    (server) =>
      new MarkdownSection({
        title: server.name,
        key: server.name,
        template: `Use the tools of ${server.name}.`,
        mcps: [server],
      }),
  );
  return new PromptTemplate({ ns: 'disclosure', key: 'replay', sections }).bind();
}

/** What a provider is sent: texts, calls and definitions; ids are no part of it. */
function tokensOf({ messages, tools }, { count, definitionText }) {
  const said = messages.map(({ role, text, toolCalls }) =>
    JSON.stringify({ role, text, calls: toolCalls?.map(({ name, arguments: args }) => ({ name, args })) }),
  );
  return [...said, ...tools.map(definitionText)].reduce((sum, text) => sum + count(text), 0);
}
