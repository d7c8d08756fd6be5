import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ask, callbackBroker, defineTool, Hub, Session } from '../../src/index.ts';
import type { ApprovalAnswer, ApprovalBroker, ApprovalRequest, CallerOptions, ToolPolicy } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { faultyServer } from '../hub/servers.ts';
import { CallSeat, Gate, nativeTool } from './call-bench.ts';

const careful: ToolPolicy = { name: 'careful', check: () => ask('Money is involved.') };

/** Answers as it is told, and remembers what it was asked. */
class RecordingBroker implements ApprovalBroker {
  readonly asked: ApprovalRequest[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #answer: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;

  constructor(answer: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>) {
    this.#answer = answer;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.asked.push(request);
    this.signals.push(signal);
    return this.#answer(request);
  }
}

/** A seat with one tool, which must be asked for, and how often it ran. */
function till(
  approval: ApprovalBroker,
  options: Partial<CallerOptions> = {},
): { readonly seat: CallSeat; readonly paid: unknown[]; readonly clock: ManualClock } {
  const paid: unknown[] = [];
  const clock = new ManualClock();
  const pay = nativeTool('pay', (params) => {
    paid.push(params);
    return 'paid';
  });
  const seat = new CallSeat(new Hub(), { tools: [pay], policies: [careful], approval, clock, ...options });
  return { seat, paid, clock };
}

test('a question names the principal, the tool, the arguments, the policy and the expiry', async () => {
  await using hub = new Hub({ servers: [faultyServer('shop', 'healthy')] });
  await hub.connect('shop');
  const broker = new RecordingBroker(() => ({ approved: true, by: 'grace' }));
  const clock = new ManualClock();
  const seat = new CallSeat(hub, {
    policies: [careful],
    session: new Session({ principal: 'ada' }),
    approval: broker,
    approvalMs: 60_000,
    clock,
  });
  await seat.caller.call({ server: 'shop', tool: 'echo' }, { message: 'x', amount: 1 }, { callId: 'call-1' });
  const [request] = broker.asked;
  expect(request).toEqual({
    id: expect.any(String),
    callId: 'call-1',
    principal: 'ada',
    name: 'mcp__shop__echo',
    server: 'shop',
    tool: 'echo',
    arguments: { amount: 1, message: 'x' },
    argumentsDigest: createHash('sha256').update('{"amount":1,"message":"x"}').digest('hex'),
    policy: 'careful',
    reason: 'Money is involved.',
    expiresAt: clock.now() + 60_000,
  });
  const common = { at: clock.now(), approvalId: request?.id, callId: 'call-1', sessionId: seat.session.id };
  expect(seat.eventsOf('approval-asked')).toEqual([
    {
      ...common,
      type: 'approval-asked',
      principal: 'ada',
      name: 'mcp__shop__echo',
      mcpServer: 'shop',
      params: { amount: 1, message: 'x' },
      policy: 'careful',
      reason: 'Money is involved.',
      expiresAt: clock.now() + 60_000,
    },
  ]);
  expect(seat.eventsOf('approval-decided')).toEqual([
    { ...common, type: 'approval-decided', decision: 'approved', by: 'grace' },
  ]);
});

test('a yes is good for one call: the same call is asked again, under another id', async () => {
  const broker = new RecordingBroker(({ id }) => ({ approved: broker.asked[0]?.id === id }));
  const { seat, paid, clock } = till(broker);
  expect((await seat.see('pay', { amount: 1 })).outcome).toBe('ok');
  expect((await seat.see('pay', { amount: 1 })).outcome).toBe('denied');
  expect(paid).toEqual([{ amount: 1 }]);
  expect(new Set(broker.asked.map(({ id }) => id)).size).toBe(2);
  expect([broker.signals.every(({ aborted }) => aborted), clock.pending]).toEqual([true, 0]);
  expect(seat.eventsOf('approval-decided').map(({ decision }) => decision)).toEqual(['approved', 'refused']);
});

test('arguments that were changed after the question are refused, whoever changed them', async () => {
  const args: Record<string, unknown> = { amount: 1, to: { name: 'ada' } };
  const broker = new RecordingBroker(() => {
    (args['to'] as Record<string, unknown>)['name'] = 'mallory';
    return { approved: true };
  });
  const { seat, paid } = till(broker);
  expect(await seat.see('pay', args)).toMatchObject({
    outcome: 'denied',
    message: 'The arguments were changed after the call was approved.',
    events: ['approval-asked', 'approval-decided', 'tool-invoked'],
  });
  expect(paid).toEqual([]);
});

test('what is sent is what was approved, whatever becomes of the arguments afterwards', async () => {
  const { seat, paid } = till(new RecordingBroker(() => ({ approved: true })));
  for (let turns = 0; turns < 8; turns += 1) {
    const args: Record<string, unknown> = { amount: turns };
    const changeAfter = (left: number): void => {
      if (left === 0) args['amount'] = 1_000_000;
      else queueMicrotask(() => changeAfter(left - 1));
    };
    const stop = seat.session.dispatcher.subscribe('approval-decided', () => changeAfter(turns + 1));
    await seat.see('pay', args);
    stop();
  }
  expect(paid.filter((args) => (args as { amount?: unknown }).amount === 1_000_000)).toEqual([]);
  const told = seat.eventsOf('tool-invoked').filter(({ outcome }) => outcome === 'ok');
  expect(told.map(({ params }) => params)).toEqual(paid);
  expect(paid.length).toBeGreaterThan(0);
});

test('a yes that comes after the expiry counts for nothing, also if the timer is late', async () => {
  const late = new Gate<ApprovalAnswer>();
  const clock = new ManualClock();
  const { seat, paid } = till(new RecordingBroker(() => late.passed), {
    approvalMs: 1_000,
    // A process that is busy: time goes by, and no timer fires.
    clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), after: () => ({ cancel: () => undefined }) },
  });
  const call = seat.see('pay');
  await clock.advance(1_000);
  late.open({ approved: true });
  expect(await call).toMatchObject({ outcome: 'denied', message: expect.stringContaining('nobody answered in time') });
  expect(paid).toEqual([]);
});

test('a question about arguments that nobody can write down is not asked', async () => {
  const broker = new RecordingBroker(() => ({ approved: true }));
  const { seat, paid } = till(broker);
  expect(await seat.see('pay', { amount: 1n })).toMatchObject({ outcome: 'invalid' });
  expect([broker.asked, paid]).toEqual([[], []]);
});

test('a late yes counts for nothing', async () => {
  const late = new Gate<ApprovalAnswer>();
  const broker = new RecordingBroker(() => late.passed);
  const { seat, paid, clock } = till(broker, { approvalMs: 1_000 });
  const call = seat.see('pay');
  await clock.advance(1_000);
  expect(await call).toMatchObject({ outcome: 'denied' });
  expect(broker.signals[0]?.aborted).toBe(true);
  late.open({ approved: true });
  await clock.advance(1_000);
  expect(paid).toEqual([]);
  expect(seat.eventsOf('approval-decided').map(({ decision }) => decision)).toEqual(['expired']);
  expect(clock.pending).toBe(0);
});

test('a question ends with the deadline of the whole work', async () => {
  const broker = new RecordingBroker(() => new Promise(() => undefined));
  const { seat, clock } = till(broker, { approvalMs: 60_000 });
  const call = seat.see('pay', {}, { deadline: clock.now() + 5_000 });
  await clock.advance(5_000);
  expect(await call).toMatchObject({ outcome: 'denied' });
  expect(broker.asked[0]?.expiresAt).toBe(clock.now());
});

describe('a broker', () => {
  test.each<readonly [string, ApprovalBroker['ask'], RegExp]>([
    ['that rejects', () => Promise.reject(new Error('the line is dead')), /could not be asked for: the line is dead$/],
    [
      'that throws',
      () => {
        throw new Error('no terminal');
      },
      /could not be asked for: no terminal$/,
    ],
    ['that answers nothing', () => Promise.resolve(undefined as unknown as ApprovalAnswer), /could not be asked for/],
    [
      'that says almost yes',
      () => Promise.resolve({ approved: 'true' as unknown as boolean }),
      /^Approval was refused\.$/,
    ],
    ['that says no without a reason', () => Promise.resolve({ approved: false }), /^Approval was refused\.$/],
  ])('%s has refused', async (_, answer, message) => {
    const { seat, paid } = till(callbackBroker(answer));
    expect(await seat.see('pay')).toMatchObject({
      outcome: 'denied',
      message: expect.stringMatching(message),
      events: ['approval-asked', 'approval-decided', 'tool-invoked'],
    });
    expect(paid).toEqual([]);
    expect(seat.eventsOf('approval-decided')).toEqual([expect.objectContaining({ decision: 'refused' })]);
  });

  test('that fails after it was too late harms nobody', async () => {
    const late = new Gate();
    const { seat, clock } = till(
      callbackBroker(async () => {
        await late.passed;
        throw new Error('too late');
      }),
      { approvalMs: 1 },
    );
    const call = seat.see('pay');
    await clock.advance(1);
    expect(await call).toMatchObject({ outcome: 'denied' });
    late.open();
    await clock.advance(1);
  });

  test('is not asked about a call that is denied anyway', async () => {
    const broker = new RecordingBroker(() => ({ approved: true }));
    const never: ToolPolicy = { name: 'never', check: () => ({ kind: 'deny', reason: 'Never.' }) };
    const { seat } = till(broker, { policies: [careful, never] });
    expect(await seat.see('pay')).toMatchObject({ outcome: 'denied', message: 'Never.', events: ['tool-invoked'] });
    expect(broker.asked).toEqual([]);
  });

  test('is asked once for two policies, and sees both reasons', async () => {
    const broker = new RecordingBroker(() => ({ approved: true }));
    const { seat } = till(broker, { policies: [careful, { name: 'slow', check: () => ask('It takes long.') }] });
    expect((await seat.see('pay')).outcome).toBe('ok');
    expect(broker.asked.map(({ policy, reason }) => [policy, reason])).toEqual([
      ['careful, slow', 'Money is involved.; It takes long.'],
    ]);
  });

  test('is not asked about arguments that do not fit', async () => {
    const broker = new RecordingBroker(() => ({ approved: true }));
    const strict = defineTool({
      name: 'pay',
      description: 'Pays.',
      params: { type: 'object', required: ['amount'] },
      handler: () => 'paid',
    });
    const { seat } = till(broker, { tools: [strict] });
    expect(await seat.see('pay')).toMatchObject({ outcome: 'invalid' });
    expect(broker.asked).toEqual([]);
  });
});

test('the events of a question carry no secret; whoever is asked sees the arguments as they are', async () => {
  const secret = 'canary/0123456789';
  const broker = new RecordingBroker(({ arguments: { token } }) => ({
    approved: false,
    by: `who knows ${String(token)}`,
    reason: `I do not like ${String(token)}`,
  }));
  await using hub = new Hub({ servers: [faultyServer('shop', 'healthy').withEnv({ API_TOKEN: secret })] });
  await hub.connect('shop');
  const seat = new CallSeat(hub, {
    approval: broker,
    tools: [nativeTool('pay', () => 'paid')],
    policies: [{ name: 'careful', check: ({ arguments: { token } }) => ask(`It uses ${String(token)}.`) }],
  });
  await seat.caller.call('pay', { token: secret });
  expect(broker.asked[0]?.arguments).toEqual({ token: secret });
  expect(JSON.stringify(seat.events)).not.toContain('0123456789');
  expect(seat.eventsOf('approval-asked')[0]).toMatchObject({ params: { token: '***' }, reason: 'It uses ***.' });
  expect(seat.eventsOf('approval-decided')[0]).toMatchObject({ by: 'who knows ***', reason: 'I do not like ***' });
});
