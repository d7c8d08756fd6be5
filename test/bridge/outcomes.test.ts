import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, callbackBroker, deny, Hub, RateLimitPolicy } from '../../src/index.ts';
import type { CallerOptions, ToolPolicy } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { healthyServer } from '../hub/servers.ts';
import { CallSeat, Gate, nativeTool, Notes, notePolicy } from './call-bench.ts';
import { ADD, ECHO, failed, OK, refused } from './seen-outcomes.ts';

describe('with a healthy server', () => {
  const hub = new Hub({ servers: [healthyServer('files')], random: () => 0 });
  const seat = (options: Partial<CallerOptions> = {}): CallSeat => new CallSeat(hub, options);
  beforeAll(async () => void (await hub.connect('files')));
  afterAll(() => hub.close());

  test('[S1.handler] [S1.result-map] [S1.messages] ok: the content, and what was noted is kept', async () => {
    expect(await seat().see(ADD, { a: 2, b: 3 })).toEqual({ ...OK, read: '5', notes: ['add'] });
  });

  test('[S1.event-fields] the events of a call say everything about it', async () => {
    const here = seat({ adapter: 'test' });
    const report = await here.caller.call(ADD, { a: 1, b: 1 }, { callId: 'call-1' });
    const { callId, durationMs, ...result } = report;
    const common = {
      at: expect.any(Number),
      callId: 'call-1',
      sessionId: here.session.id,
      name: 'mcp__files__add',
      adapter: 'test',
      params: { a: 1, b: 1 },
      source: 'mcp',
      mcpServer: 'files',
    };
    expect(callId).toBe('call-1');
    expect(here.events).toEqual([
      { ...common, type: 'tool-started' },
      { ...common, type: 'tool-invoked', result, outcome: 'ok', durationMs },
    ]);
  });

  test('[S1.event-fields] the events of a native tool name no server', async () => {
    const here = seat({ tools: [nativeTool('greet', () => 'hello')] });
    await here.caller.call('greet', { who: 'you' }, { callId: 'call-2' });
    const common = {
      at: expect.any(Number),
      callId: 'call-2',
      sessionId: here.session.id,
      name: 'greet',
      adapter: 'code',
      params: { who: 'you' },
      source: 'native',
    };
    const result = { success: true, outcome: 'ok', message: 'Success', content: [{ type: 'text', text: 'hello' }] };
    expect(here.events).toEqual([
      { ...common, type: 'tool-started' },
      { ...common, type: 'tool-invoked', result, outcome: 'ok', durationMs: expect.any(Number) },
    ]);
  });

  test('[S1.result-map] [S1.messages] [S3.error-results] tool-error: isError gives the text of the server', async () => {
    const here = seat();
    expect(await here.see({ server: 'files', tool: 'fail' })).toEqual(failed('tool-error', 'failed on purpose'));
  });

  test('[S1.result-map] [S3.error-results] tool-error: an RPC error gives its message', async () => {
    expect(await seat().see({ server: 'files', tool: 'throw' })).toEqual(failed('tool-error', 'thrown on purpose'));
  });

  test('[S1.transaction] tool-error: what a native tool wrote before it failed is undone', async () => {
    for (const fail of [
      () => {
        throw new Error('no luck');
      },
      () => ({ isError: true, content: [{ type: 'text' as const, text: 'no luck' }] }),
    ]) {
      const tool = nativeTool('try', (_, { session }) => {
        session.slice(Notes).append('tried');
        return fail();
      });
      expect(await seat({ tools: [tool] }).see('try')).toEqual(failed('tool-error', 'no luck'));
    }
  });

  test('[S1.transaction] tool-error: a policy that cannot take note undoes what others noted', async () => {
    const broken: ToolPolicy = { name: 'broken', onResult: () => Promise.reject(new Error('the disk is full')) };
    const here = seat({ policies: [notePolicy, broken] });
    const message = 'The call was made and succeeded, but a policy failed to take note of it: the disk is full';
    expect(await here.see(ECHO, { message: 'x' })).toEqual(failed('tool-error', message));
  });

  test('denied: a policy says no, and its reason is what the model reads', async () => {
    const policies = [notePolicy, { name: 'no', check: () => deny('Not on Sundays.') }];
    expect(await seat({ policies }).see(ECHO, { message: 'x' })).toEqual(refused('denied', 'Not on Sundays.'));
  });

  test('denied: a policy that fails lets nothing through', async () => {
    const policies = [
      {
        name: 'odd',
        check: () => {
          throw new Error('I am lost');
        },
      },
    ];
    const message = "Refused because the policy 'odd' failed: I am lost";
    expect(await seat({ policies }).see(ECHO, { message: 'x' })).toEqual(refused('denied', message));
  });

  test('denied: a tool that a policy does not admit is neither offered nor called', async () => {
    const policies: readonly ToolPolicy[] = [
      { name: 'closed', admit: ({ tool }) => (tool === 'echo' ? deny('Closed.') : { kind: 'allow' }) },
    ];
    const here = seat({ policies });
    expect(here.caller.tools().some(({ tool }) => tool === 'echo')).toBe(false);
    expect(await here.see(ECHO, { message: 'x' })).toEqual(refused('denied', 'Closed.'));
  });

  test('[S2.rate] denied: the call that is one too many is told how long to wait, per server', async () => {
    const clock = new ManualClock();
    const here = seat({ clock, policies: [new RateLimitPolicy({ calls: 2, windowMs: 60_000 })] });
    expect((await here.see(ECHO, { message: '1' })).outcome).toBe('ok');
    await clock.advance(20_000);
    expect((await here.see(ADD, { a: 1, b: 1 })).outcome).toBe('ok');
    const message = "Rate limit for server 'files': 2 calls in 60 s; try again in 40 s";
    expect(await here.see(ECHO, { message: '3' })).toEqual(refused('denied', message));
    await clock.advance(40_000);
    expect((await here.see(ECHO, { message: '4' })).outcome).toBe('ok');
  });

  test('[S2.rate] denied: per tool, each tool has a limit of its own', async () => {
    const here = seat({
      clock: new ManualClock(),
      policies: [new RateLimitPolicy({ calls: 1, windowMs: 1000, per: 'tool' })],
    });
    expect((await here.see(ECHO, { message: '1' })).outcome).toBe('ok');
    expect((await here.see(ADD, { a: 1, b: 1 })).outcome).toBe('ok');
    const message = "Rate limit for tool 'files/echo': 1 call in 1 s; try again in 1 s";
    expect(await here.see(ECHO, { message: '2' })).toEqual(refused('denied', message));
  });

  describe('denied after a question', () => {
    const asking: ToolPolicy = { name: 'careful', check: () => ask('This may do harm.') };
    const questioned = { events: ['approval-asked', 'approval-decided', 'tool-invoked'] };

    test('that was answered with no', async () => {
      const approval = callbackBroker(() => Promise.resolve({ approved: false, reason: 'Not today.' }));
      const here = seat({ policies: [asking, notePolicy], approval });
      expect(await here.see(ECHO, { message: 'x' })).toEqual({ ...refused('denied', 'Not today.'), ...questioned });
    });

    test('that nobody answered in time', async () => {
      const clock = new ManualClock();
      const approval = callbackBroker(() => new Promise(() => undefined));
      const here = seat({ policies: [asking, notePolicy], approval, clock, approvalMs: 5_000 });
      const call = here.see(ECHO, { message: 'x' });
      await clock.advance(5_000);
      const message = 'Approval was asked for and nobody answered in time.';
      expect(await call).toEqual({ ...refused('denied', message), ...questioned });
    });

    test('that nobody was there to be asked', async () => {
      const here = seat({ policies: [asking, notePolicy] });
      const message = 'This may do harm. Nobody is there to be asked, so the call was refused.';
      expect(await here.see(ECHO, { message: 'x' })).toEqual(refused('denied', message));
    });
  });

  test('[S2.pre-event] a call that was approved starts after the answer', async () => {
    const approval = callbackBroker(() => Promise.resolve({ approved: true }));
    const here = seat({ policies: [{ name: 'careful', check: () => ask('Sure?') }, notePolicy], approval });
    expect(await here.see(ECHO, { message: 'x' })).toEqual({
      ...OK,
      read: 'x',
      notes: ['echo'],
      events: ['approval-asked', 'approval-decided', 'tool-started', 'tool-invoked'],
    });
  });

  test('[S1.fail-unknown-tool] invalid: a tool, or a server, that is not there', async () => {
    const here = seat();
    expect(await here.see('mcp__files__nothing')).toEqual(
      refused('invalid', "no tool is called 'mcp__files__nothing'; list the tools to see the names"),
    );
    expect(await here.see({ server: 'files', tool: 'nothing' })).toEqual(
      refused('invalid', "files has no tool called 'nothing'"),
    );
    expect(await here.see({ server: 'none', tool: 'echo' })).toEqual(
      refused('invalid', "no server is called 'none' (declared: files)"),
    );
    expect(here.eventsOf('tool-invoked').map(({ name }) => name)).toEqual([
      'mcp__files__nothing',
      'mcp__files__nothing',
      'mcp__none__echo',
    ]);
  });

  test('[S1.fail-invalid] invalid: which argument, and what was expected', async () => {
    const here = seat();
    expect(await here.see(ADD, { a: 'one', b: 2 })).toEqual(
      refused('invalid', expect.stringMatching(/^mcp__files__add was not called.*\ba: .*number/s)),
    );
    expect(await here.see(ADD, { a: 1 })).toEqual(
      refused('invalid', expect.stringMatching(/\bb\b.*(required|missing)/s)),
    );
  });

  test('[S1.fail-invalid] invalid: arguments that no JSON can say are not sent', async () => {
    const round: Record<string, unknown> = { message: 'round' };
    round['self'] = round;
    const here = seat();
    for (const args of [round, { message: 'big', big: 1n }])
      expect(await here.see(ECHO, args)).toEqual(
        refused('invalid', expect.stringContaining('cannot be written as JSON')),
      );
  });

  test('timeout: a native tool ends after its time, and what it wrote is undone', async () => {
    const clock = new ManualClock();
    const tool = nativeTool(
      'wait',
      (_, { session }) => {
        session.slice(Notes).append('waiting');
        return new Promise(() => undefined);
      },
      { timeoutMs: 5_000 },
    );
    const here = seat({ clock, tools: [tool] });
    const call = here.see('wait');
    await clock.advance(5_000);
    const message =
      'wait gave no answer within 5000 ms. It may have run all the same: check its effect before calling it again.';
    expect(await call).toEqual(failed('timeout', message));
  });

  test('timeout: a deadline that has passed sends nothing', async () => {
    const clock = new ManualClock();
    const message = 'mcp__files__echo was not sent: the deadline of the whole work has passed';
    expect(await seat({ clock }).see(ECHO, { message: 'x' }, { deadline: clock.now() })).toEqual(
      refused('timeout', message),
    );
  });

  test('cancelled: before it was sent', async () => {
    const message = 'mcp__files__echo was cancelled by its caller before it was sent';
    expect(await seat().see(ECHO, { message: 'x' }, { signal: AbortSignal.abort() })).toEqual(
      refused('cancelled', message),
    );
  });

  test('cancelled: while it runs, it may have run', async () => {
    const giveUp = new AbortController();
    const options = { signal: giveUp.signal, onProgress: () => giveUp.abort() };
    const message = 'files: slow was cancelled by its caller. It may have run.';
    expect(await seat().see({ server: 'files', tool: 'slow' }, { ms: 60_000, steps: 10 }, options)).toEqual(
      failed('cancelled', message),
    );
  });

  test('cancelled: what a native tool wrote is undone', async () => {
    const giveUp = new AbortController();
    const tool = nativeTool('wait', (_, { session }) => {
      session.slice(Notes).append('waiting');
      giveUp.abort();
      return new Promise(() => undefined);
    });
    expect(await seat({ tools: [tool] }).see('wait', {}, { signal: giveUp.signal })).toEqual(
      failed('cancelled', 'wait was cancelled by its caller. It may have run.'),
    );
  });

  test('cancelled: while somebody is asked', async () => {
    const giveUp = new AbortController();
    const asked = new Gate();
    const approval = callbackBroker(() => {
      asked.open();
      return new Promise(() => undefined);
    });
    const here = seat({ policies: [{ name: 'careful', check: () => ask('Sure?') }], approval });
    const call = here.see(ECHO, { message: 'x' }, { signal: giveUp.signal });
    await asked.passed;
    giveUp.abort();
    expect(await call).toEqual({
      ...refused('cancelled', 'mcp__files__echo was cancelled by its caller before it was sent'),
      events: ['approval-asked', 'approval-decided', 'tool-invoked'],
    });
  });
});
