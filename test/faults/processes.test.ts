import { expect } from 'vitest';
import { alive } from '../fixtures/processes.ts';
import { until } from '../fixtures/until.ts';
import { faultRow } from './fault-row.ts';
import { heldMb } from './memory.ts';
import { NAMESPACES, namespaceOf } from './namespaces.ts';

const CALL_TIMEOUT_MS = 5_000;
const CLOSE_GRACE_MS = 2_000;
const WRITE_STALL_MS = 30_000;
const MESSAGE_MB = 10;
const REFUSED_CALLS = 10;

faultRow(
  {
    row: 7,
    fault: 'crash during a call',
    proves: '[S1.fail-crash] [S1.no-double]',
    expected: 'calls in flight fail at once as ambiguous and are not repeated; restarted; next call ok',
  },
  async (bench) => {
    const { folder } = bench;
    const options = { times: 1, counter: folder.file('crashes'), executions: folder.file('crashing') };
    await bench.hub.connect('crashing', bench.faulty('crashing', 'crash-on-call', options));
    const crashed = await bench.call('crashing', 'echo');
    expect([crashed.outcome, folder.lines('crashing').length]).toEqual(['ambiguous', 1]);
    const killed = bench.faulty('killed', 'hang-on-call', { executions: folder.file('killed') });
    const { pid = 0 } = await bench.hub.connect('killed', killed);
    const calls = ['one', 'two', 'three'].map((message) => bench.call('killed', 'echo', message));
    await until(() => folder.lines('killed').length === 3, { describe: 'three calls are in flight' });
    process.kill(pid, 'SIGKILL');
    await bench.bystanderAnswers();
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['ambiguous', 'ambiguous', 'ambiguous']);
    const next = [await bench.call('crashing', 'echo'), await bench.call('killed', 'look')];
    expect(next.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect([folder.lines('crashing').length, folder.lines('killed').length]).toEqual([2, 4]);
    const restarts = ['crashing', 'killed'].map((name) => bench.hub.serverStatus(name).restarts);
    expect(restarts).toEqual([1, 1]);
    return `${outcomes.length + 1} calls ambiguous, none carried out twice; ${restarts.length} servers restarted once; next calls ok`;
  },
);

faultRow(
  {
    row: 10,
    fault: 'server stopped with SIGSTOP',
    expected: 'a call times out; the process can be killed and replaced all the same',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'healthy').withTimeout(CALL_TIMEOUT_MS);
    const { pid = 0 } = await bench.hub.connect('faulty', faulty);
    process.kill(pid, 'SIGSTOP');
    const calling = bench.call('faulty', 'echo');
    await bench.bystanderAnswers();
    await bench.clock.advance(CALL_TIMEOUT_MS);
    const { outcome } = await calling;
    expect([outcome, alive(pid)]).toEqual(['timeout', true]);
    await bench.untilClosed(bench.hub.disconnect('faulty'));
    expect(alive(pid)).toBe(false);
    await bench.hub.connect('faulty');
    const next = await bench.call('faulty', 'echo');
    expect(next.outcome).toBe('ok');
    return `call ${outcome}; stopped process killed on disconnect; next call ${next.outcome}`;
  },
);

for (const { pidNamespace, wish } of NAMESPACES) {
  faultRow(
    {
      row: 11,
      fault: `ignores end of input and SIGTERM, ${wish}`,
      expected: 'killed after 2 s and another 2 s, with its children',
      bench: { pidNamespace },
    },
    async (bench) => {
      await bench.hub.connect('faulty', bench.faulty('faulty', 'ignore-eof-and-term', { children: 2 }));
      const { pid = 0 } = bench.hub.serverStatus('faulty');
      const living = bench.processesOf('faulty');
      expect(living.length).toBeGreaterThanOrEqual(3);
      const where = namespaceOf(living);
      const heard = (text: string): Promise<unknown> =>
        until(() => bench.hub.serverStatus('faulty').stderr?.includes(text), { describe: `the server says: ${text}` });
      const reconnecting = bench.hub.reconnect('faulty');
      await bench.bystanderAnswers();
      for (const reaction of ['ignoring the end of input', 'ignoring SIGTERM']) {
        await heard(reaction);
        await bench.clock.advance(CLOSE_GRACE_MS - 1);
        // What comes next is due at the next moment, and not before it.
        expect([alive(pid), bench.clock.nextDelayMs]).toEqual([true, 1]);
        await bench.clock.advance(1);
      }
      await reconnecting;
      expect(living.filter(alive)).toEqual([]);
      return `${where}: end of input, SIGTERM after 2000 ms, alive after 3999 ms, killed after 4000 ms; 0 of ${living.length} processes left`;
    },
  );

  faultRow(
    {
      row: 12,
      fault: `setsid daemon child, ${wish}`,
      expected: 'gone after the close, also one that holds the pipes open',
      bench: { pidNamespace },
    },
    async (bench) => {
      const observed: string[] = [];
      for (const stdio of ['ignore', 'inherit']) {
        await bench.hub.connect(stdio, bench.faulty(stdio, 'daemon-child', { stdio }));
        const living = bench.processesOf(stdio);
        expect(living.length).toBeGreaterThanOrEqual(2);
        const where = namespaceOf(living);
        await bench.bystanderAnswers();
        await bench.untilClosed(bench.hub.disconnect(stdio));
        const left = bench.processesOf(stdio);
        expect(left).toEqual([]);
        observed.push(`stdio ${stdio}, ${where}: ${living.length} processes before, ${left.length} after`);
      }
      return observed.join('; ');
    },
  );

  faultRow(
    {
      row: 13,
      fault: `stdout closed, process alive, ${wish}`,
      proves: '[S1.fail-crash]',
      expected: 'noticed without waiting for the timeout: call ambiguous, process replaced',
      // Noticing it in a namespace takes a look now and then.
      bench: { pidNamespace, time: 'real' },
    },
    async (bench) => {
      const { pid = 0 } = await bench.hub.connect('faulty', bench.faulty('faulty', 'close-stdout'));
      const where = namespaceOf(bench.processesOf('faulty'));
      const calling = bench.call('faulty', 'echo');
      await bench.bystanderAnswers();
      const { outcome } = await calling;
      expect(outcome).toBe('ambiguous');
      await until(() => !alive(pid), { describe: 'the mute process is gone' });
      const next = await bench.call('faulty', 'look');
      expect(next.outcome).toBe('ok');
      const { restarts } = bench.hub.serverStatus('faulty');
      expect(restarts).toBe(1);
      return `${where}: call ${outcome}, process ended, ${restarts} restart, next call ${next.outcome}`;
    },
  );
}

faultRow(
  {
    row: 27,
    fault: '1 MB on stderr during a call',
    expected: 'the server is not blocked; the last 64 KB are kept',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'stderr-flood', { bytes: 1024 * 1024 }));
    const calling = bench.call('faulty', 'echo');
    await bench.bystanderAnswers();
    const { outcome } = await calling;
    expect(outcome).toBe('ok');
    const kept = (): string => bench.hub.serverStatus('faulty').stderr ?? '';
    // The first lines fall out of the ring only when the flood has come through.
    await until(() => kept().length > 60 * 1024 && !kept().includes('FAULT_TOKEN'), { describe: 'the flood was read' });
    expect(kept().length).toBeLessThanOrEqual(64 * 1024);
    expect(kept().trimEnd()).toMatch(/stderr$/);
    return `call ${outcome}; ${kept().length} characters of stderr kept`;
  },
);

faultRow(
  {
    row: 28,
    fault: 'never reads its input, 10 MB of arguments',
    expected:
      'further such calls are refused unsent and not queued; at the write deadline the server is ended, the first call ambiguous',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'never-reads-stdin').withTimeout(2 * WRITE_STALL_MS);
    const { pid = 0 } = await bench.hub.connect('faulty', faulty);
    const large = 'x'.repeat(MESSAGE_MB * 1024 * 1024);
    const first = bench.call('faulty', 'echo', large);
    const refuse = async (): Promise<string> =>
      (await bench.failure(bench.hub.callTool('faulty', 'echo', { arguments: { message: large } }))).code;
    const refused = [await refuse()];
    const before = heldMb();
    while (refused.length < REFUSED_CALLS) refused.push(await refuse());
    const growthMb = Math.max(0, heldMb() - before);
    expect(refused).toEqual(Array.from({ length: REFUSED_CALLS }, () => 'OVERLOADED'));
    expect(growthMb).toBeLessThan(2 * MESSAGE_MB);
    await bench.bystanderAnswers();
    await bench.clock.advance(WRITE_STALL_MS);
    const { outcome } = await first;
    expect(outcome).toBe('ambiguous');
    const lost = await until(
      () => bench.events.find((event) => event.type === 'server-disconnected' && event.server === 'faulty'),
      { describe: 'the loss of the server is told' },
    );
    expect(lost).toMatchObject({ error: expect.stringContaining('did not read its input for 30000 ms') });
    await until(() => !alive(pid), { describe: 'the server is gone' });
    return `${refused.length} more refused (${refused[0]}), memory held +${growthMb} MB; after 30000 ms process ended, first ${outcome}`;
  },
);
