import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ALLOW,
  bind,
  deny,
  Filesystem,
  Hub,
  McpServer,
  MemoryFilesystem,
  ReadBeforeWritePolicy,
  resourceKey,
  ResourceContainer,
  ResourceRegistry,
  ResultCachePolicy,
  SequentialDependencyPolicy,
} from '../../src/index.ts';
import type { NativeTool, ToolPolicy } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { healthyServer, v1Server } from '../hub/servers.ts';
import { CallBench, CallSeat, Gate, nativeTool, Notes, notePolicy } from './call-bench.ts';

/** A server with these tools, and what it was asked to run. */
function serverOf(...names: readonly string[]): { readonly server: ScriptedServer; readonly ran: string[] } {
  const ran: string[] = [];
  const annotations = { readOnlyHint: true };
  const server = new ScriptedServer({
    'tools/list': () => ({
      tools: names.map((name) => ({
        name,
        inputSchema: { type: 'object' },
        ...(name.startsWith('read') && { annotations }),
      })),
    }),
    'tools/call': ({ name, arguments: args }) => {
      ran.push(String(name));
      const isError = (args as { fail?: boolean }).fail === true;
      return { content: [{ type: 'text', text: `${String(name)} ${ran.length}` }], isError };
    },
  });
  return { server, ran };
}

describe('a sequential dependency', () => {
  test('[S0.sequential-policy] git_commit is denied, naming git_diff, until git_diff has succeeded in this session', async () => {
    const { server, ran } = serverOf('git_diff', 'git_commit');
    const policy = new SequentialDependencyPolicy({ git_commit: ['git_diff'] });
    await using hub = new Hub({ servers: [McpServer.sdk('git').withPolicies(policy)], inProcess: { git: server } });
    const seat = new CallSeat(hub);
    const commit = (): Promise<unknown> => seat.see({ server: 'git', tool: 'git_commit' });
    const refused = { outcome: 'denied', read: "Tool 'git_commit' requires: git_diff", events: ['tool-invoked'] };
    expect(await commit()).toMatchObject(refused);
    await seat.caller.call({ server: 'git', tool: 'git_diff' }, { fail: true });
    expect(await commit()).toMatchObject(refused);
    await seat.caller.call({ server: 'git', tool: 'git_diff' });
    expect(await commit()).toMatchObject({ outcome: 'ok' });
    expect(await new CallSeat(hub).see({ server: 'git', tool: 'git_commit' })).toMatchObject(refused);
    expect(ran).toEqual(['git_diff', 'git_diff', 'git_commit']);
  });

  test('[S0.with-policies] holds on its server only, and may depend on the tools of another', async () => {
    const git = serverOf('git_commit');
    const review = serverOf('approve', 'git_commit');
    const policy = new SequentialDependencyPolicy({ git_commit: ['review/approve'] });
    await using bench = new CallBench({
      servers: [McpServer.sdk('git').withPolicies(policy), McpServer.sdk('review')],
      inProcess: { git: git.server, review: review.server },
    });
    const commit = { server: 'git', tool: 'git_commit' };
    expect(await bench.see(commit)).toMatchObject({
      outcome: 'denied',
      read: expect.stringContaining('review/approve'),
    });
    expect(await bench.see({ server: 'review', tool: 'git_commit' })).toMatchObject({ outcome: 'ok' });
    expect(await bench.see({ server: 'review', tool: 'approve' })).toMatchObject({ outcome: 'ok' });
    expect(await bench.see(commit)).toMatchObject({ outcome: 'ok' });
    expect(git.ran).toEqual(['git_commit']);
  });

  test('is not satisfied by a call that failed after the server had answered', async () => {
    const { server } = serverOf('git_diff', 'git_commit');
    const policy = new SequentialDependencyPolicy({ git_commit: ['git_diff'] });
    const broken: ToolPolicy = {
      name: 'broken',
      onResult: ({ tool }) => (tool.tool === 'git_diff' ? Promise.reject(new Error('full')) : undefined),
    };
    await using bench = new CallBench({
      servers: [McpServer.sdk('git').withPolicies(policy)],
      inProcess: { git: server },
      caller: { policies: [broken] },
    });
    await bench.caller.call({ server: 'git', tool: 'git_diff' });
    expect(await bench.see({ server: 'git', tool: 'git_commit' })).toMatchObject({ outcome: 'denied' });
  });
});

test.each([
  ['untrusted', []],
  ['trusted', ['read']],
] as const)(
  '[S1.transaction] only a tool that a trusted server calls read-only takes no transaction: %s',
  async (trust, notes) => {
    const broken: ToolPolicy = { name: 'broken', onResult: () => Promise.reject(new Error('the disk is full')) };
    await using bench = new CallBench({
      servers: [McpServer.sdk('data', serverOf('read').server).with({ trust })],
      caller: { policies: [notePolicy, broken] },
    });
    expect(await bench.see({ server: 'data', tool: 'read' })).toMatchObject({ outcome: 'tool-error', notes });
  },
);

describe('a result cache', () => {
  const READ = { server: 'data', tool: 'read' };

  test('[S2.cache] the same arguments within the time send nothing; the answer says that it is an earlier one', async () => {
    const { server, ran } = serverOf('read', 'write');
    const clock = new ManualClock();
    await using bench = new CallBench({
      servers: [
        McpServer.sdk('data')
          .with({ trust: 'trusted' })
          .withPolicies(new ResultCachePolicy({ ttlMs: 1_000 })),
      ],
      inProcess: { data: server },
      clock,
    });
    expect(await bench.see(READ, { a: 1, b: 2 })).toMatchObject({ read: 'read 1' });
    const again = await bench.caller.call(READ, { b: 2, a: 1 });
    expect(again).toMatchObject({ outcome: 'ok', isCached: true, content: [{ text: 'read 1' }] });
    expect(bench.seen(again).events).toEqual(['tool-invoked']);
    expect(bench.eventsOf('tool-invoked').at(-1)).toMatchObject({ isCached: true });
    expect(await bench.see(READ, { a: 2 })).toMatchObject({ read: 'read 2' });
    await clock.advance(1_000);
    expect(await bench.see(READ, { a: 1, b: 2 })).toMatchObject({ read: 'read 3' });
    await bench.caller.call({ server: 'data', tool: 'write' });
    expect(await bench.see(READ, { a: 1, b: 2 })).toMatchObject({ read: 'read 5' });
    expect(ran).toEqual(['read', 'read', 'read', 'write', 'read']);
  });

  test('[S2.cache] is not used for a server that is not trusted, nor for a tool that may write', async () => {
    const { server, ran } = serverOf('read', 'write');
    const policies = [new ResultCachePolicy({ ttlMs: 1_000 })];
    await using bench = new CallBench({
      servers: [McpServer.sdk('data'), McpServer.sdk('twin', server).with({ trust: 'trusted' })],
      inProcess: { data: server },
      caller: { policies },
      clock: new ManualClock(),
    });
    for (const address of [READ, READ, { server: 'twin', tool: 'write' }, { server: 'twin', tool: 'write' }])
      expect((await bench.caller.call(address)).isCached).toBeUndefined();
    expect(ran).toHaveLength(4);
  });

  test('knows nothing of another server that has got the name', async () => {
    const cache = new ResultCachePolicy({ ttlMs: 60_000 });
    const files = healthyServer('files').with({ trust: 'trusted' }).withPolicies(cache);
    await using bench = new CallBench({ servers: [files] });
    const add = async (): Promise<boolean> =>
      (await bench.caller.call({ server: 'files', tool: 'add' }, { a: 1, b: 2 })).isCached === true;
    expect([await add(), await add()]).toEqual([false, true]);
    await bench.hub.connect('files', v1Server('files').with({ trust: 'trusted' }).withPolicies(cache));
    expect([await add(), await add()]).toEqual([false, true]);
  });

  test('tells native tools of one name apart', async () => {
    const policies = [new ResultCachePolicy({ ttlMs: 60_000 })];
    await using hub = new Hub();
    const read = async (text: string): Promise<string> => {
      const tools = [nativeTool('read', () => text, { annotations: { readOnlyHint: true } })];
      return (await new CallSeat(hub, { tools, policies }).see('read')).read;
    };
    expect([await read('one'), await read('two')]).toEqual(['one', 'two']);
  });

  test('satisfies a dependency, too: an earlier answer is an answer', async () => {
    const { server, ran } = serverOf('read', 'write');
    const cache = new ResultCachePolicy({ ttlMs: 1_000 });
    const order = new SequentialDependencyPolicy({ write: ['read'] });
    const data = McpServer.sdk('data').with({ trust: 'trusted' }).withPolicies(cache, order);
    await using hub = new Hub({ servers: [data], inProcess: { data: server } });
    const clock = new ManualClock();
    await new CallSeat(hub, { clock }).caller.call(READ);
    const second = new CallSeat(hub, { clock });
    expect(await second.caller.call(READ)).toMatchObject({ outcome: 'ok', isCached: true });
    expect(await second.see({ server: 'data', tool: 'write' })).toMatchObject({ outcome: 'ok' });
    expect(ran).toEqual(['read', 'write']);
  });
});

describe('the resources of a call', () => {
  const Line = resourceKey<{ readonly isOpen: () => boolean }>('line');

  test('are closed again when a policy used them and refused, or knew the answer', async () => {
    let open = 0;
    const line = bind(
      Line,
      () => {
        open += 1;
        return { isOpen: () => open > 0, [Symbol.dispose]: () => void (open -= 1) };
      },
      { scope: 'tool-call' },
    );
    const answer = { success: true, outcome: 'ok', message: 'Success', content: [] } as const;
    const policy: ToolPolicy = {
      name: 'line',
      check: ({ arguments: { mayPass } }, { resources }) =>
        resources.get(Line)?.isOpen() && mayPass === true ? ALLOW : deny('The line is open.'),
      recall: () => answer,
    };
    const seat = new CallSeat(new Hub(), {
      tools: [nativeTool('speak', () => 'said')],
      policies: [policy],
      resources: new ResourceContainer(ResourceRegistry.of(line)),
    });
    expect(await seat.see('speak')).toMatchObject({ outcome: 'denied' });
    expect(open).toBe(0);
    expect(await seat.caller.call('speak', { mayPass: true })).toMatchObject({ isCached: true });
    expect(open).toBe(0);
  });

  test('read-before-write looks at the files of the session, and leaves no transaction behind', async () => {
    const files = new MemoryFilesystem({ 'a.txt': 'old' });
    const begun = vi.spyOn(files, 'begin');
    const write = nativeTool('write_file', async (params, { resources }) => {
      await resources.get(Filesystem)?.writeText(String(params['path']), 'new');
      return 'written';
    });
    const read = nativeTool('read_file', async (params, { resources }) =>
      resources.get(Filesystem)?.readText(String(params['path'])),
    );
    const seat = new CallSeat(new Hub(), {
      tools: [read, write],
      policies: [new ReadBeforeWritePolicy()],
      resources: new ResourceContainer(ResourceRegistry.of(bind(Filesystem, () => files))),
    });
    const path = 'a.txt';
    expect(await seat.see('write_file', { path })).toMatchObject({
      outcome: 'denied',
      message: "File 'a.txt' must be read before overwriting.",
    });
    const [transaction] = begun.mock.results;
    // A transaction that has ended does nothing, and gives nothing back.
    expect(
      await transaction?.value.view.writeText('late.txt', 'x').then(
        () => 'open',
        () => 'ended',
      ),
    ).toBe('ended');
    expect(await seat.see('read_file', { path })).toMatchObject({ read: 'old' });
    expect(await seat.see('write_file', { path })).toMatchObject({ outcome: 'ok' });
    expect(await files.readText(path)).toBe('new');
  });

  test('[S1.transaction] that cannot be committed make a tool-error, because the tool did run', async () => {
    const Store = resourceKey<object>('store');
    const store = {
      begin: () => ({ view: {}, commit: () => Promise.reject(new Error('disk full')), rollback: () => [] }),
      readOnlyView: () => ({}),
    };
    const tool = nativeTool('keep', (_, { resources, session }) => {
      resources.get(Store);
      session.slice(Notes).append('kept');
      return 'kept';
    });
    const seat = new CallSeat(new Hub(), {
      tools: [tool],
      resources: new ResourceContainer(ResourceRegistry.of(bind(Store, () => store))),
    });
    expect(await seat.see('keep')).toEqual({
      success: false,
      outcome: 'tool-error',
      message: expect.stringMatching(/^The call was made and succeeded, but .* could not be kept: .*disk full/),
      read: expect.stringContaining('disk full'),
      notes: [],
      events: ['tool-started', 'tool-invoked'],
    });
  });
});

describe('a call inside a call', () => {
  const inner = nativeTool('inner', (_, { session }) => {
    session.slice(Notes).append('inner');
    return 'done';
  });

  test('[S1.transaction] is undone with it, and each has its own event', async () => {
    const outer = nativeTool('outer', async (_, { call, session }) => {
      const { outcome } = await call('inner');
      session.slice(Notes).append(`outer saw ${outcome}`);
      throw new Error('after all');
    });
    const seat = new CallSeat(new Hub(), { tools: [inner, outer], policies: [] });
    expect(await seat.see('outer')).toMatchObject({ outcome: 'tool-error', notes: [] });
    expect(seat.eventsOf('tool-invoked').map(({ name, outcome }) => [name, outcome])).toEqual([
      ['inner', 'ok'],
      ['outer', 'tool-error'],
    ]);
  });

  test('[S1.transaction] that fails leaves the outer one its own changes', async () => {
    const failing = nativeTool('inner', (_, { session }) => {
      session.slice(Notes).append('inner');
      throw new Error('no');
    });
    const outer = nativeTool('outer', async (_, { call, session }) => {
      session.slice(Notes).append('before');
      const { outcome } = await call('inner');
      session.slice(Notes).append(outcome);
      return 'done';
    });
    const seat = new CallSeat(new Hub(), { tools: [failing, outer], policies: [] });
    expect(await seat.see('outer')).toMatchObject({ outcome: 'ok', notes: ['before', 'tool-error'] });
  });

  test.each([
    ['the time of the outer one is over', undefined],
    ['the outer one is given up', new AbortController()],
  ])('ends no later: %s', async (_, giveUp) => {
    const clock = new ManualClock();
    const ended = new Gate<string>();
    const waiting = nativeTool('inner', (__, { signal }) => {
      signal.addEventListener('abort', () => ended.open('told'));
      return new Promise(() => undefined);
    });
    const outer = nativeTool('outer', async (__, { call }) => (await call('inner')).message, { timeoutMs: 1_000 });
    const seat = new CallSeat(new Hub(), { tools: [waiting, outer], clock });
    const running = seat.see('outer', {}, giveUp ? { signal: giveUp.signal } : {});
    await settle();
    if (giveUp) giveUp.abort();
    else await clock.advance(1_000);
    expect(await running).toMatchObject({ outcome: giveUp ? 'cancelled' : 'timeout' });
    expect(await ended.passed).toBe('told');
    await settle();
    expect(
      seat
        .eventsOf('tool-invoked')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['inner', 'outer']);
  });

  test('has no more time than is left, whatever it asks for', async () => {
    const clock = new ManualClock();
    const deadlines: number[] = [];
    const look = nativeTool('inner', (_, { deadline }) => {
      deadlines.push(deadline);
      return 'done';
    });
    const outer = nativeTool(
      'outer',
      async (_, { call }) => {
        await call('inner', {}, { timeoutMs: 60_000, deadline: clock.now() + 60_000 });
        await call('inner', {}, { timeoutMs: 10 });
        return 'done';
      },
      { timeoutMs: 1_000 },
    );
    await new CallSeat(new Hub(), { tools: [look, outer], clock }).caller.call('outer');
    expect(deadlines).toEqual([clock.now() + 1_000, clock.now() + 10]);
  });

  test.each(['before', 'after'] as const)(
    'that writes %s the outer one has ended, and ends later, changes nothing',
    async (when) => {
      const go = new Gate();
      const late = nativeTool('inner', async (_, { session }) => {
        if (when === 'before') session.slice(Notes).append('too early');
        await go.passed;
        if (when === 'after') session.slice(Notes).append('too late');
        return 'done';
      });
      let left: Promise<unknown> = Promise.resolve();
      const outer = nativeTool('outer', (_, { call }) => {
        left = call('inner');
        return 'done';
      });
      const seat = new CallSeat(new Hub(), { tools: [late, outer], policies: [] });
      expect((await seat.see('outer')).outcome).toBe('ok');
      go.open();
      expect(await left).toMatchObject({ success: false, outcome: 'tool-error' });
      expect(seat.notes).toEqual([]);
    },
  );
});

test('[S1.transaction] what a tool writes after its time is over is refused', async () => {
  const clock = new ManualClock();
  const refused = new Gate<unknown>();
  const wait = nativeTool(
    'wait',
    async (_, { signal, session }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await settle();
      try {
        session.slice(Notes).append('too late');
        refused.open(undefined);
      } catch (error) {
        refused.open(error);
      }
      return 'done';
    },
    { timeoutMs: 1_000 },
  );
  const seat = new CallSeat(new Hub(), { tools: [wait], clock });
  const call = seat.see('wait');
  await clock.advance(1_000);
  expect(await call).toMatchObject({ outcome: 'timeout', notes: [] });
  expect(await refused.passed).toMatchObject({ code: 'SESSION_INVALID' });
  expect(seat.notes).toEqual([]);
});

describe('what policies and listeners do wrong', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): unknown => unhandled.push(reason);
  afterEach(() => void process.off('unhandledRejection', onUnhandled));
  const tool: NativeTool = nativeTool('greet', () => 'hello');

  test('two policies that fail to take note fail one call, and nothing else', async () => {
    process.on('unhandledRejection', onUnhandled);
    const slow: ToolPolicy = {
      name: 'slow',
      onResult: async () => {
        await settle();
        throw new Error('slow');
      },
    };
    const quick: ToolPolicy = {
      name: 'quick',
      onResult: () => {
        throw new Error('quick');
      },
    };
    const seat = new CallSeat(new Hub(), { tools: [tool], policies: [slow, quick, notePolicy] });
    expect(await seat.see('greet')).toMatchObject({ outcome: 'tool-error', read: expect.stringContaining('quick') });
    await settle();
    await settle();
    expect(unhandled).toEqual([]);
  });

  test('a server that names a policy which nobody has is closed; the others are not', async () => {
    const odd = serverOf('one');
    const fine = serverOf('one');
    await using bench = new CallBench({
      servers: [McpServer.sdk('odd').withPolicies('carefull'), McpServer.sdk('fine')],
      inProcess: { odd: odd.server, fine: fine.server },
      caller: { namedPolicies: new Map([['careful', notePolicy]]) },
    });
    expect(await bench.see({ server: 'odd', tool: 'one' })).toMatchObject({
      outcome: 'denied',
      message: expect.stringMatching(/'odd' names a policy 'carefull' that nobody declared; did you mean 'careful'\?/),
    });
    expect(await bench.see({ server: 'fine', tool: 'one' })).toMatchObject({ outcome: 'ok' });
    expect([odd.ran, fine.ran]).toEqual([[], ['one']]);
  });

  test('a listener that throws changes nothing', async () => {
    const seat = new CallSeat(new Hub(), { tools: [tool] });
    for (const type of ['tool-started', 'tool-invoked'] as const)
      seat.session.dispatcher.subscribe(type, () => {
        throw new Error('deaf');
      });
    expect(await seat.see('greet')).toMatchObject({ outcome: 'ok', notes: ['greet'] });
  });
});
