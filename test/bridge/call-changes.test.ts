import { describe, expect, test, vi } from 'vitest';
import {
  ALLOW,
  bind,
  deny,
  Filesystem,
  Hub,
  MemoryFilesystem,
  ReadBeforeWritePolicy,
  resourceKey,
  ResourceContainer,
  ResourceRegistry,
} from '../../src/index.ts';
import type { ToolPolicy } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { CallSeat, Gate, nativeTool, Notes } from './call-bench.ts';

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
