import { expect } from 'vitest';
import { until } from '../fixtures/until.ts';
import { alive } from '../fixtures/processes.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';
import { NAMESPACES, namespaceOf } from './namespaces.ts';
import { OuterHub } from './outer-hub.ts';

const KILL_LIMIT_MS = 1_000;

faultRow(
  {
    row: 49,
    fault: 'SIGTERM to `fairlead call` with the call in flight',
    expected: 'the server is told that the call is cancelled, exit status 143, no process left',
  },
  async (bench) => {
    const servers = [bench.faulty('busy', 'hang-on-call', { received: bench.folder.file('received') })];
    const outer = await OuterHub.start(bench, {
      servers,
      program: 'fairlead',
      args: ['call', 'busy', 'echo', 'message=x'],
    });
    await until(() => received(bench, 'tools/call'), { describe: `the call has arrived; it said: ${outer.output}` });
    const living = outer.processes();
    outer.signal('SIGTERM');
    await bench.bystanderAnswers();
    const status = await outer.ended();
    bench.reports.push(outer.output);
    expect(status).toBe(143);
    expect(received(bench, 'notifications/cancelled')).toBe(true);
    expect(living.filter(alive)).toEqual([]);
    expect(outer.processes()).toEqual([]);
    return `cancelled at the server; exit status ${status}; ${living.length} processes before, 0 after`;
  },
);

faultRow(
  {
    row: 49,
    fault: 'SIGTERM to `fairlead up`',
    expected: 'exit status 0, no process left',
  },
  async (bench) => {
    const outer = await OuterHub.start(bench, { servers: stubbornServers(bench), program: 'fairlead', args: ['up'] });
    await outer.said('3 of 3 servers connected');
    const living = outer.processes();
    outer.signal('SIGTERM');
    await bench.bystanderAnswers();
    const status = await outer.ended();
    bench.reports.push(outer.output);
    expect(status).toBe(0);
    expect(living.filter(alive)).toEqual([]);
    expect(outer.processes()).toEqual([]);
    return `exit status ${status}; ${living.length} processes before, 0 after`;
  },
);

faultRow(
  {
    row: 49,
    fault: 'SIGTERM to a program that closes its hub with calls in flight',
    expected: 'calls that finish while it drains are ok, the others end as ambiguous; exit status 0, no process left',
  },
  async (bench) => {
    const servers = [
      bench.faulty('slow', 'slow-call', { ms: 300, executions: bench.folder.file('executions') }),
      bench.faulty('busy', 'hang-on-call', { executions: bench.folder.file('executions') }),
    ];
    const outer = await OuterHub.start(bench, { servers, program: 'busy-hub', args: ['1000', 'slow', 'busy'] });
    await until(() => bench.folder.lines('executions').length === 2, {
      describe: `both calls run; it said: ${outer.output}`,
    });
    const living = outer.processes();
    outer.signal('SIGTERM');
    await bench.bystanderAnswers();
    const status = await outer.ended();
    bench.reports.push(outer.output);
    const outcomes = ['slow', 'busy'].map((name) => new RegExp(`^${name}: ([\\w-]+):`, 'm').exec(outer.output)?.[1]);
    expect([...outcomes, status]).toEqual(['ok', 'ambiguous', 0]);
    expect(living.filter(alive)).toEqual([]);
    expect(outer.processes()).toEqual([]);
    return `slow call ${outcomes[0]}, hanging call ${outcomes[1]}; exit status ${status}; ${living.length} processes before, 0 after`;
  },
);

for (const { pidNamespace, wish } of NAMESPACES) {
  faultRow(
    {
      row: 50,
      fault: `SIGKILL to \`fairlead up\`, ${wish}`,
      proves: '[S3.stdio-kill]',
      expected: 'no process left within 1 s',
    },
    async (bench) => {
      const servers = stubbornServers(bench);
      const outer = await OuterHub.start(bench, { servers, program: 'fairlead', args: ['up'], pidNamespace });
      await outer.said('3 of 3 servers connected');
      const living = outer.processes();
      const where = namespaceOf(living);
      outer.signal('SIGKILL');
      const killedAt = performance.now();
      const left = (): readonly number[] => [...living.filter(alive), ...outer.processes()];
      await until(() => left().length === 0, { describe: 'no process is left', limitMs: KILL_LIMIT_MS });
      const tookMs = Math.round(performance.now() - killedAt);
      await bench.bystanderAnswers();
      expect(await outer.ended()).toBe('SIGKILL');
      bench.reports.push(outer.output);
      return `servers ${where}: ${living.length} processes before, 0 after ${tookMs} ms`;
    },
  );
}

/** Servers of which something stays behind unless it is killed. */
function stubbornServers(bench: FaultBench): ReturnType<FaultBench['faulty']>[] {
  return [
    bench.faulty('polite', 'healthy'),
    bench.faulty('stubborn', 'ignore-eof-and-term', { children: 2 }),
    bench.faulty('daemon', 'daemon-child', { stdio: 'ignore' }),
  ];
}

function received(bench: FaultBench, method: string): boolean {
  return bench.folder.lines('received').some((line) => (JSON.parse(line) as { method: string }).method === method);
}
