import { describe, expect, test } from 'vitest';
import { defineTool, FileCatalogCache, Hub, McpServer, Session, systemClock } from '../../src/index.ts';
import type { HubOptions } from '../../src/index.ts';
import { AgentRun } from '../../src/prompt/disclosure/agent-run.ts';
import { evaluate } from '../../src/prompt/disclosure/evaluate.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/prompt/disclosure/model.ts';
import { MarkdownSection } from '../../src/prompt/markdown-section.ts';
import { PromptTemplate } from '../../src/prompt/prompt-template.ts';
import { VisibilityOverrides } from '../../src/prompt/visibility.ts';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';

/** Answers as written, and remembers what it was asked. */
class ScriptedModel implements Model {
  readonly asked: ModelRequest[] = [];
  readonly #replies: readonly ModelReply[];

  constructor(...replies: readonly ModelReply[]) {
    this.#replies = replies;
  }

  respond(request: ModelRequest): Promise<ModelReply> {
    const reply = this.#replies[this.asked.length];
    this.asked.push(request);
    return reply ? Promise.resolve(reply) : new Promise(() => undefined);
  }
}

let marks = 0;

/** A server whose processes can be told from all others. */
function marked(name: string): { readonly server: McpServer; readonly mark: string } {
  marks += 1;
  const mark = `disclosure-${process.pid}-${marks}-${name}`;
  const { command, args } = v2Stdio();
  return { server: McpServer.stdio(name, command, args, { env: { DISCLOSURE_MARK: mark } }), mark };
}

const openTools = { name: 'open_sections', arguments: { section_keys: ['tools'], reason: 'to echo' } };
const echo = { name: 'mcp__echoes__echo', arguments: { message: 'hello' } };

function toolsPrompt(server: McpServer): ReturnType<PromptTemplate['bind']> {
  const section = new MarkdownSection({
    title: 'Tools',
    key: 'tools',
    template: 'Echo what you are told.',
    summary: 'An echo.',
    visibility: 'summary',
    mcps: [server],
  });
  return new PromptTemplate({ ns: 'tests', key: 'evaluate', sections: [section] }).bind();
}

describe('evaluate', () => {
  test('[S0.open-sections] a section of servers alone is opened by the model, and its tools are called', async () => {
    const { server, mark } = marked('echoes');
    await using hub = new Hub();
    const session = new Session();
    const events: string[] = [];
    for (const type of ['prompt-rendered', 'sections-opened', 'tool-invoked', 'prompt-executed'])
      session.dispatcher.subscribe(type, (event: { type: string }) => events.push(event.type));
    const model = new ScriptedModel({ toolCalls: [openTools] }, { toolCalls: [echo] }, { text: 'It said hello.' });
    const processes: number[] = [];
    const watched: Model = {
      respond: (request) => {
        processes.push(processesMarked(mark).length > 0 ? 1 : 0);
        return model.respond(request);
      },
    };
    const answer = await evaluate(toolsPrompt(server), watched, { hub, session });
    expect(answer).toMatchObject({ text: 'It said hello.', turns: 3, calls: 2, restarts: 0 });
    expect(processes).toEqual([0, 1, 1]);
    expect(answer.messages.at(-2)).toMatchObject({ role: 'tool', text: 'hello', isError: false });
    expect(answer.rendered.mcps).toEqual([server]);
    expect(events).toEqual(['prompt-rendered', 'sections-opened', 'tool-invoked', 'tool-invoked', 'prompt-executed']);
    const [first, second] = model.asked;
    // The beginning of what was sent stays as it was, tools included.
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(second?.tools.slice(0, first?.tools.length)).toEqual(first?.tools);
    expect(first?.tools.map(({ name }) => name)).toEqual(['open_sections', 'search_tools']);
  });

  test('[S0.open-sections] begins anew with the section open, if told so', async () => {
    const { server } = marked('echoes');
    await using hub = new Hub();
    const session = new Session();
    const model = new ScriptedModel({ toolCalls: [openTools] }, { toolCalls: [echo] }, { text: 'Done.' });
    const answer = await evaluate(toolsPrompt(server), model, { hub, session, expansion: 'restart' });
    expect(answer).toMatchObject({ text: 'Done.', turns: 3, calls: 2, restarts: 1 });
    expect(model.asked[1]?.messages).toEqual([
      { role: 'system', text: '## 1. Tools (tools)\n\nEcho what you are told.' },
    ]);
    expect(session.slice(VisibilityOverrides).all()).toEqual([{ path: 'tools', visibility: 'full' }]);
  });

  test('gives the model all that a tool answers, not its text alone', async () => {
    await using hub = new Hub();
    const content = [
      { type: 'text', text: 'a dot' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ] as const;
    const draw = defineTool({
      name: 'draw',
      description: '',
      params: { type: 'object' },
      handler: () => ({ content }),
    });
    const prompt = new PromptTemplate({ ns: 'tests', key: 'images', sections: [], tools: [draw] }).bind();
    const model = new ScriptedModel({ toolCalls: [{ id: '1', name: 'draw', arguments: {} }] }, { text: 'Seen.' });
    const { messages } = await evaluate(prompt, model, { hub });
    expect(messages.at(-2)).toEqual({
      role: 'tool',
      callId: '1',
      name: 'draw',
      text: 'a dot',
      content,
      isError: false,
    });
  });

  test('gives up after the turns it has, at its deadline, and when it is told to', async () => {
    await using hub = new Hub();
    const prompt = new PromptTemplate({ ns: 'tests', key: 'nothing', sections: [] }).bind();
    const calling = { toolCalls: [{ name: 'nothing', arguments: {} }] };
    const endless = new ScriptedModel(calling, calling, calling);
    await expect(evaluate(prompt, endless, { hub, maxTurns: 2 })).rejects.toMatchObject({
      code: 'PROMPT_EVALUATION_FAILED',
      message: 'the model gave no answer within 2 turns',
    });
    const clock = new ManualClock();
    const late = evaluate(prompt, new ScriptedModel(), { hub, clock, deadline: clock.now() + 1000 });
    const ended = expect(late).rejects.toThrow('the deadline of the evaluation has passed');
    await clock.advance(1000);
    await ended;
    const stopping = evaluate(prompt, new ScriptedModel(), { hub, signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopping).rejects.toThrow('the evaluation was cancelled');
  });
});

describe('processes', () => {
  test('[S0.no-spawn] ten closed sections have none from a cold start, opening one starts exactly its two', async () => {
    const all = tenPairs();
    await using hub = new Hub();
    await using run = await AgentRun.open(promptOf(all, 'summary'), { hub });
    expect(running(all)).toEqual([]);
    expect(run.text).toContain('- s3: tools unknown until opened');
    await run.call('open_sections', { section_keys: ['s3'], reason: 'needed' });
    expect(running(all)).toEqual(['s3-a', 's3-b']);
    expect(run.tools().length).toBeGreaterThan(4);
  });

  test('[S0.no-spawn] none is left of an opening that is rolled back, or given up', async () => {
    const all = tenPairs(2);
    await using hub = new Hub();
    let isBroken = true;
    const late = { name: 'late', onResult: () => (isBroken ? Promise.reject(new Error('no')) : undefined) };
    await using run = await AgentRun.open(promptOf(all, 'summary'), { hub, policies: [late] });
    const open = { section_keys: ['s0'], reason: 'needed' };
    expect(await run.call('open_sections', open)).toMatchObject({ success: false });
    expect(running(all)).toEqual([]);
    isBroken = false;
    const giveUp = new AbortController();
    const opening = run.call('open_sections', open, { signal: giveUp.signal });
    await until(() => running(all).length > 0, { describe: 'a server was started' });
    giveUp.abort();
    expect(await opening).toMatchObject({ outcome: 'cancelled' });
    expect(running(all)).toEqual([]);
    expect(await run.call('open_sections', open)).toMatchObject({ success: true });
    expect(running(all)).toEqual(['s0-a', 's0-b']);
  });

  test('[S0.no-spawn] none is kept by a run that has the section closed, once the run that opened it is over', async () => {
    const all = tenPairs(1);
    await using hub = new Hub();
    await using closed = await AgentRun.open(promptOf(all, 'summary'), { hub });
    {
      await using run = await AgentRun.open(promptOf(all, 'summary'), { hub });
      await run.call('open_sections', { section_keys: ['s0'], reason: 'needed' });
      expect(running(all)).toEqual(['s0-a', 's0-b']);
    }
    expect(running(all)).toEqual([]);
    await closed.call('open_sections', { section_keys: ['s0'], reason: 'needed' });
    expect(running(all)).toEqual(['s0-a', 's0-b']);
    expect(await closed.call('mcp__s0-a__echo', { message: 'hello' })).toMatchObject({ outcome: 'ok' });
  });

  test('[S0.no-spawn] a disabled section has none, and on a warm cache even open sections have none', async () => {
    await using folder = await openTemporaryFolder();
    const all = tenPairs(2);
    {
      await using hub = hubWith(folder.path);
      await using run = await AgentRun.open(promptOf(all, 'full'), { hub });
      expect(running(all)).toEqual(['s0-a', 's0-b', 's1-a', 's1-b']);
      expect(run.tools().length).toBeGreaterThan(4);
    }
    await using hub = hubWith(folder.path);
    await using run = await AgentRun.open(promptOf(all, 'full'), { hub });
    expect(run.tools().length).toBeGreaterThan(4);
    await using off = await AgentRun.open(promptOf(all, 'full', false), { hub });
    expect([running(all), off.tools(), off.hub.servers()]).toEqual([[], [], []]);
  });
});

function tenPairs(count = 10): readonly ReturnType<typeof marked>[][] {
  return Array.from({ length: count }, (_, index) => [marked(`s${index}-a`), marked(`s${index}-b`)]);
}

function running(all: readonly ReturnType<typeof marked>[][]): readonly string[] {
  return all.flat().flatMap(({ server, mark }) => (processesMarked(mark).length > 0 ? [server.name] : []));
}

function promptOf(
  all: readonly ReturnType<typeof marked>[][],
  visibility: 'full' | 'summary',
  isEnabled = true,
): ReturnType<PromptTemplate['bind']> {
  const sections = all.map(
    (pair, index) =>
      new MarkdownSection({
        title: `S${index}`,
        key: `s${index}`,
        template: 'Text.',
        visibility,
        enabled: () => isEnabled,
        mcps: pair.map(({ server }) => server),
      }),
  );
  return new PromptTemplate({ ns: 'tests', key: 'processes', sections }).bind();
}

function hubWith(folder: string, options: HubOptions = {}): InstanceType<typeof Hub> {
  return new Hub({ ...options, catalogs: new FileCatalogCache(folder, systemClock) });
}
