import { expect } from 'vitest';
import { textOf } from '../../src/index.ts';
import { until } from '../fixtures/until.ts';
import { BYSTANDER } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

const PENDING_CALLS = 64;

faultRow(
  {
    row: 48,
    fault: '200 concurrent calls to a slow server',
    proves: '[S3.jsonrpc]',
    expected: '64 wait, the rest are refused unsent (OVERLOADED); other servers do not wait for it',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'out-of-order', {
      batch: PENDING_CALLS,
      executions: bench.folder.file('executions'),
    });
    await bench.hub.connect('faulty', faulty);
    const callMany = (server: string, from: number, to: number): Promise<readonly string[]> =>
      Promise.all(
        Array.from({ length: to - from }, async (_, index) => {
          const { outcome, content } = await bench.call(server, 'echo', `call ${from + index}`);
          return outcome === 'ok' && textOf(content) !== `call ${from + index}`
            ? 'the answer of another call'
            : outcome;
        }),
      );
    // One fewer than the server waits for before it answers any.
    const waiting = callMany('faulty', 0, PENDING_CALLS - 1);
    expect(await callMany(BYSTANDER, 0, 50)).toEqual(Array.from({ length: 50 }, () => 'ok'));
    await bench.bystanderAnswers();
    const outcomes = [...(await callMany('faulty', PENDING_CALLS - 1, 200)), ...(await waiting)];
    const count = (wanted: string): number => outcomes.filter((outcome) => outcome === wanted).length;
    expect([count('ok'), count('unavailable'), outcomes.length]).toEqual([PENDING_CALLS, 200 - PENDING_CALLS, 200]);
    expect(bench.errors.map((error) => (error as { code?: string }).code)).toEqual(
      Array.from({ length: 136 }, () => 'OVERLOADED'),
    );
    expect(bench.folder.lines('executions')).toHaveLength(PENDING_CALLS);
    return `${count('ok')} ok, each with its own answer; ${count('unavailable')} refused as OVERLOADED; meanwhile 51 calls to the bystander ok`;
  },
);

faultRow(
  {
    row: 52,
    fault: 'reload removes a busy server',
    proves: '[S3.set-servers]',
    expected: 'calls fail saying so: ambiguous if sent, SERVER_REMOVED if not; its tools vanish at once and together',
  },
  async (bench) => {
    const busy = bench.faulty('busy', 'hang-on-call', { executions: bench.folder.file('executions') });
    await bench.hub.connect('busy', busy);
    await bench.hub.setServers([bench.hub.server(BYSTANDER), busy, bench.faulty('starting', 'silent')], {
      connect: false,
    });
    const sent = bench.call('busy', 'echo');
    const unsent = bench.call('starting', 'echo');
    await until(() => bench.folder.lines('executions').length === 1, { describe: 'the call is being carried out' });
    const living = bench.processesOf('busy');
    bench.events.length = 0;
    const removing = bench.hub.setServers([bench.hub.server(BYSTANDER)]);
    expect(bench.hub.tools().filter(({ server }) => server === 'busy')).toEqual([]);
    const changes = bench.events.filter((event) => event.type === 'tools-changed' && event.server === 'busy');
    expect(changes).toMatchObject([{ added: [], changed: [], removed: ['mcp__busy__echo', 'mcp__busy__look'] }]);
    await bench.bystanderAnswers();
    await bench.untilClosed(removing);
    expect(await removing).toEqual({ added: [], removed: ['busy', 'starting'], changed: [], errors: {} });
    const [first, second] = await Promise.all([sent, unsent]);
    expect([first.outcome, second.outcome]).toEqual(['ambiguous', 'unavailable']);
    expect([first.message, second.message]).toEqual([
      expect.stringContaining('was removed'),
      expect.stringContaining('was removed'),
    ]);
    const codes = bench.errors.map((error) => (error as { code?: string }).code);
    expect(codes).toEqual(expect.arrayContaining(['CALL_AMBIGUOUS', 'SERVER_REMOVED']));
    expect([...bench.processesOf('busy'), ...bench.processesOf('starting')]).toEqual([]);
    const later = await bench.call('busy', 'echo');
    expect(later).toMatchObject({ outcome: 'unavailable', message: expect.stringContaining('was removed') });
    return `sent call ${first.outcome}, unsent ${second.outcome} (SERVER_REMOVED), later ${later.outcome}; both tools gone in one event; ${living.length} processes gone`;
  },
);
