import { describe, expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { HeldAnswer, ScriptedServer } from '../../test/fixtures/scripted-server.ts';
import type { Answer } from '../../test/fixtures/scripted-server.ts';
import { Scrubber } from '../redaction.ts';
import { InProcessTransport } from '../transport/in-process-transport.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import type { Catalog } from './catalog.ts';
import { ProtocolClient } from './protocol-client.ts';
import { ServerRequests } from './server-requests.ts';

const DEBOUNCE_MS = 250;
const tools = (...names: readonly string[]): { tools: object[] } => ({
  tools: names.map((name) => ({ name, inputSchema: {} })),
});
const forever = (): Promise<never> => new Promise(() => undefined);

interface Kept {
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly server: ScriptedServer;
  readonly client: ProtocolClient;
  readonly keeper: CatalogKeeper;
  /** The names of the tools at each change that was announced. */
  readonly announced: string[][];
  names(): readonly string[];
}

/** A keeper for a real client in conversation with a scripted server. */
async function open(answers: Readonly<Record<string, Answer>>): Promise<Kept> {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const server = new ScriptedServer(answers);
  const announced: string[][] = [];
  const namesOf = (catalog: Catalog): string[] => catalog.tools.map(({ tool }) => tool);
  const keeper = new CatalogKeeper({
    clock,
    logger,
    limits: { maxPages: 3, maxTools: 10 },
    scrubber: new Scrubber(),
    requestOptions: { timeoutMs: 30_000, maxTotalMs: 30_000 },
    recall: () => undefined,
    keep: () => undefined,
    onChanged: (catalog) => announced.push(namesOf(catalog)),
  });
  const client = await ProtocolClient.open({
    transport: new InProcessTransport(server),
    clock,
    logger,
    scrubber: new Scrubber(),
    version: '1.0.0',
    connectTimeoutMs: 30_000,
    signal: new AbortController().signal,
    era: 'legacy',
    probeMs: 2_000,
    serverRequests: new ServerRequests({
      server: 'scripted',
      allows: { elicitation: false, sampling: false },
      fallback: {},
    }),
    onResourceChanged: () => undefined,
    onListChanged: (list) => keeper.changed(list),
    onClosed: () => undefined,
  });
  return { clock, logger, server, client, keeper, announced, names: () => namesOf(keeper.catalog) };
}

/** Answers with each of the given in turn, then with the last again. */
function inTurn(...answers: readonly (object | Answer)[]): Answer {
  let next = 0;
  return (params) => {
    const answer = answers[Math.min(next, answers.length - 1)] ?? {};
    next += 1;
    return typeof answer === 'function' ? (answer as Answer)(params) : (answer as Record<string, unknown>);
  };
}

const live = (): AbortSignal => new AbortController().signal;

describe('load', () => {
  test('lists the tools and announces them once', async () => {
    const { keeper, client, announced, names, server } = await open({ 'tools/list': () => tools('a', 'b') });
    await keeper.load(client, live());
    expect({ names: names(), announced, lists: server.requested.slice(1) }).toEqual({
      names: ['a', 'b'],
      announced: [['a', 'b']],
      lists: ['tools/list'],
    });
  });

  test('says what is odd about the list', async () => {
    const { keeper, client, logger } = await open({ 'tools/list': inTurn({ ...tools('a'), nextCursor: 'x' }) });
    await keeper.load(client, live());
    const warning = 'tools/list: page 2 repeats an earlier cursor; 2 tools were read';
    expect(keeper.catalog.warnings).toEqual([warning]);
    expect(logger.messages('warn')).toEqual([warning]);
  });

  test('forgets the other lists of the conversation before', async () => {
    const { keeper, client } = await open({
      'tools/list': () => tools('a'),
      'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
    });
    await keeper.load(client, live());
    await keeper.prompts(client);
    expect(keeper.catalog.prompts).toEqual([{ name: 'p', arguments: [] }]);
    await keeper.load(client, live());
    expect(keeper.catalog.prompts).toBeUndefined();
  });

  test('that fails leaves the last list as it was', async () => {
    const { keeper, client, announced, names } = await open({ 'tools/list': inTurn(tools('a'), {}) });
    await keeper.load(client, live());
    await expect(keeper.load(client, live())).rejects.toMatchObject({ failure: { kind: 'invalid-result' } });
    expect({ names: names(), announced }).toEqual({ names: ['a'], announced: [['a']] });
  });

  test('that was given up counts for nothing, even if there was nothing to wait for', async () => {
    const initialize: Answer = ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: {},
      serverInfo: { name: 'bare', version: '1' },
    });
    const { keeper, client, announced } = await open({ initialize });
    const reason = new Error('given up');
    await expect(keeper.load(client, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(announced).toEqual([]);
  });

  test('looks again at a change that was announced while it was listing, however long that took', async () => {
    const slow = new HeldAnswer();
    const { keeper, client, clock, server, names } = await open({ 'tools/list': inTurn(slow.answer, tools('a', 'b')) });
    const loading = keeper.load(client, live());
    await server.notify('notifications/tools/list_changed');
    await clock.advance(2 * DEBOUNCE_MS);
    slow.give(tools('a'));
    await loading;
    expect(names()).toEqual(['a']);
    await clock.advance(DEBOUNCE_MS);
    expect(names()).toEqual(['a', 'b']);
  });
});

describe('a change of the tools', () => {
  test('is looked at once for a whole burst of announcements', async () => {
    const { keeper, client, clock, server, announced } = await open({
      'tools/list': inTurn(tools('a'), tools('a', 'b')),
    });
    await keeper.load(client, live());
    for (let count = 0; count < 20; count += 1) await server.notify('notifications/tools/list_changed');
    await clock.advance(DEBOUNCE_MS - 1);
    expect(announced).toEqual([['a']]);
    await clock.advance(1);
    expect(announced).toEqual([['a'], ['a', 'b']]);
    await clock.advance(10_000);
    expect(server.requested.filter((method) => method === 'tools/list')).toHaveLength(2);
  });

  test('that comes while the list is being read again is looked at afterwards', async () => {
    const slow = new HeldAnswer();
    const { keeper, client, clock, names } = await open({
      'tools/list': inTurn(tools('a'), slow.answer, tools('a', 'b', 'c')),
    });
    await keeper.load(client, live());
    keeper.changed('tools');
    await clock.advance(DEBOUNCE_MS);
    keeper.changed('tools');
    keeper.changed('tools');
    slow.give(tools('a', 'b'));
    await settle();
    expect(names()).toEqual(['a', 'b']);
    await clock.advance(DEBOUNCE_MS);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(clock.pending).toBe(0);
  });

  test('keeps the other lists', async () => {
    const { keeper, client, clock } = await open({
      'tools/list': () => tools('a'),
      'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
    });
    await keeper.load(client, live());
    await keeper.prompts(client);
    keeper.changed('tools');
    await clock.advance(DEBOUNCE_MS);
    expect(keeper.catalog.prompts).toEqual([{ name: 'p', arguments: [] }]);
  });

  test('that cannot be listed leaves the last list as it was, with a warning', async () => {
    const { keeper, client, clock, logger, names } = await open({ 'tools/list': inTurn(tools('a'), {}, tools('b')) });
    await keeper.load(client, live());
    keeper.changed('tools');
    await clock.advance(DEBOUNCE_MS);
    expect(names()).toEqual(['a']);
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'tools could not be listed again; the last list is kept',
        fields: { error: 'the list has no tools array' },
      },
    ]);
    keeper.changed('tools');
    await clock.advance(DEBOUNCE_MS);
    expect(names()).toEqual(['b']);
  });

  test('is nobody’s business after the conversation has ended', async () => {
    const { keeper, client, clock, names } = await open({ 'tools/list': inTurn(tools('a'), tools('b')) });
    await keeper.load(client, live());
    keeper.changed('tools');
    keeper.stop();
    expect(clock.pending).toBe(0);
    await clock.advance(10_000);
    keeper.changed('tools');
    await clock.advance(10_000);
    expect({ names: names(), pending: clock.pending }).toEqual({ names: ['a'], pending: 0 });
  });

  test('whose list comes after the end of the conversation counts for nothing, and is no reason to warn', async () => {
    const slow = new HeldAnswer();
    const { keeper, client, clock, logger, announced } = await open({
      'tools/list': inTurn(tools('a'), slow.answer, forever),
    });
    await keeper.load(client, live());
    keeper.changed('tools');
    await clock.advance(DEBOUNCE_MS);
    keeper.stop();
    slow.give({});
    await settle();
    expect({ announced, lines: logger.lines }).toEqual({ announced: [['a']], lines: [] });
  });
});

describe('resources and prompts', () => {
  const lists = {
    'tools/list': (): object => tools('a'),
    'resources/list': (): object => ({ resources: [{ uri: 'file:///a', name: 'a' }] }),
    'resources/templates/list': (): object => ({ resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }] }),
    'prompts/list': (): object => ({ prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }] }),
  } as Record<string, Answer>;
  const resources = {
    resources: [{ uri: 'file:///a', name: 'a' }],
    templates: [{ uriTemplate: 'file:///{name}', name: 'any' }],
  };
  const prompts = [{ name: 'p', arguments: [{ name: 'x', required: true }] }];

  test('are listed when they are asked for, and once', async () => {
    const { keeper, client, server } = await open(lists);
    expect([await keeper.resources(client), await keeper.resources(client)]).toEqual([resources, resources]);
    expect([await keeper.prompts(client), await keeper.prompts(client)]).toEqual([prompts, prompts]);
    expect(server.requested.slice(1).toSorted()).toEqual([
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
  });

  test('are listed again after a change, each by itself', async () => {
    const { keeper, client, server } = await open(lists);
    await keeper.resources(client);
    await keeper.prompts(client);
    keeper.changed('resources');
    expect([keeper.catalog.resources, keeper.catalog.templates, keeper.catalog.prompts]).toEqual([
      undefined,
      undefined,
      prompts,
    ]);
    await keeper.resources(client);
    keeper.changed('prompts');
    expect([keeper.catalog.resources, keeper.catalog.prompts]).toEqual([resources.resources, undefined]);
    await keeper.prompts(client);
    expect(server.requested.slice(1)).toHaveLength(6);
  });

  test('that nobody knew yet do not change, however often a server says so', async () => {
    const { keeper, client, announced } = await open(lists);
    await keeper.load(client, live());
    await keeper.resources(client);
    for (let count = 0; count < 100; count += 1) {
      keeper.changed('resources');
      keeper.changed('prompts');
    }
    expect(announced).toEqual([['a'], ['a']]);
  });

  test('that changed while they were being listed are not kept', async () => {
    const slowResources = new HeldAnswer();
    const slowPrompts = new HeldAnswer();
    const { keeper, client } = await open({
      ...lists,
      'resources/list': slowResources.answer,
      'prompts/list': slowPrompts.answer,
    });
    const listing = Promise.all([keeper.resources(client), keeper.prompts(client)]);
    await settle();
    keeper.changed('resources');
    keeper.changed('prompts');
    slowResources.give({ resources: [] });
    slowPrompts.give({ prompts: [] });
    expect(await listing).toEqual([{ ...resources, resources: [] }, []]);
    expect([keeper.catalog.resources, keeper.catalog.prompts]).toEqual([undefined, undefined]);
  });

  test('are no templates where a server does not know them', async () => {
    const { 'resources/templates/list': _, ...withoutTemplates } = lists;
    const { keeper, client } = await open(withoutTemplates);
    expect(await keeper.resources(client)).toEqual({ ...resources, templates: [] });
  });

  test('fail when the templates get no answer at all, and are asked for again', async () => {
    const { keeper, client, clock } = await open({
      ...lists,
      'resources/templates/list': inTurn(forever, lists['resources/templates/list'] ?? {}),
    });
    const listing = expect(keeper.resources(client)).rejects.toMatchObject({ failure: { kind: 'timeout' } });
    await clock.advance(30_000);
    await listing;
    expect(await keeper.resources(client)).toEqual(resources);
  });

  test('that a server does not offer are empty, and it is not asked', async () => {
    const initialize: Answer = ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: {},
      serverInfo: { name: 'bare', version: '1' },
    });
    const { keeper, client, server } = await open({ initialize });
    await keeper.load(client, live());
    expect([await keeper.resources(client), await keeper.prompts(client)]).toEqual([
      { resources: [], templates: [] },
      [],
    ]);
    expect(server.requested).toEqual(['initialize']);
  });
});
