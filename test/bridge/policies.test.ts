import { afterEach, describe, expect, test } from 'vitest';
import { Hub, McpServer, ResultCachePolicy, SequentialDependencyPolicy } from '../../src/index.ts';
import type { NativeTool, ToolPolicy } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { healthyServer, v1Server } from '../hub/servers.ts';
import { CallBench, CallSeat, nativeTool, notePolicy } from './call-bench.ts';

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
