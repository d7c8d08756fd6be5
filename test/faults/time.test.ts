import { expect } from 'vitest';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

const LOOK_MS = 250;
const HOUR_MS = 3_600_000;

faultRow(
  {
    row: 6,
    fault: 'unsupported protocol version',
    proves: '[S1.connect-retries]',
    expected: 'failed (VERSION_UNSUPPORTED) naming both sides, no retry',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'unsupported-version', { version: '1999-01-01' });
    const error = await bench.failure(bench.hub.connect('faulty', faulty));
    expect(error).toMatchObject({ code: 'VERSION_UNSUPPORTED', serverName: 'faulty' });
    expect(error.message).toMatch(/1999-01-01.*2025-11-25/);
    const { status, restarts } = bench.hub.serverStatus('faulty');
    expect({ status, restarts }).toEqual({ status: 'failed', restarts: 0 });
    expect(bench.processesOf('faulty')).toEqual([]);
    await bench.bystanderAnswers();
    return `${status} (${error.code}) after 1 attempt: ${error.message}`;
  },
);

faultRow(
  {
    row: 14,
    fault: 'an answer that ends in the middle',
    expected: 'that call fails at once (INVALID_RESULT), over stdio and HTTP; the connection lives',
  },
  async (bench) => {
    const { pid } = await bench.hub.connect('line', bench.faulty('line', 'truncated-json'));
    await using server = await startFaultyHttp('truncated-body');
    await bench.hub.connect('body', bench.http('body', server.url));
    for (const name of ['line', 'body']) {
      const { outcome } = await bench.call(name, 'echo');
      expect([outcome, bench.errors.at(-1)]).toEqual([
        'tool-error',
        expect.objectContaining({ code: 'INVALID_RESULT', serverName: name }),
      ]);
      const next = await bench.call(name, 'look');
      expect([next.outcome, bench.hub.serverStatus(name).status]).toEqual(['ok', 'connected']);
    }
    expect(bench.hub.serverStatus('line').pid).toBe(pid);
    await bench.bystanderAnswers();
    await bench.hub.disconnect('body');
    return 'line and body: tool-error (INVALID_RESULT) without waiting; next calls ok on the same connections';
  },
);

faultRow(
  {
    row: 29,
    fault: 'progress forever',
    expected: 'progress extends the timeout, and the hard maximum of 10 min ends the call',
  },
  async (bench) => {
    const received = bench.folder.file('received');
    const faulty = bench.faulty('faulty', 'progress-forever', { everyMs: 5, received });
    await bench.hub.connect('faulty', faulty.withTimeout(100_000));
    let reports = 0;
    const endless = bench.failure(
      bench.hub.callTool('faulty', 'echo', { arguments: { message: 'x' }, onProgress: () => (reports += 1) }),
    );
    for (let minutes = 0; minutes < 10; minutes += 1) {
      const before = reports;
      await until(() => reports > before + 1, { describe: 'progress is made' });
      if (minutes === 5) await bench.bystanderAnswers();
      await bench.clock.advance(60_000);
    }
    expect(await endless).toMatchObject({ name: 'McpTimeoutError', code: 'CALL_TIMEOUT', timeoutMs: 600_000 });
    const isCancelled = (line: string): boolean => line.includes('notifications/cancelled');
    await until(() => bench.folder.lines('received').some(isCancelled), { describe: 'the server was told' });
    const next = await bench.call('faulty', 'look');
    expect(next.outcome).toBe('ok');
    return `CALL_TIMEOUT after 600000 ms of progress with a timeout of 100000 ms; cancelled at the server, next call ${next.outcome}`;
  },
);

faultRow(
  {
    row: 51,
    fault: 'the machine sleeps for an hour',
    expected: 'what was due fires once; servers lost meanwhile are reconnected in one wave, at different moments',
    bench: { random: [0.9, 0.3, 0.6] },
  },
  async (bench) => {
    const names = ['first', 'second', 'third'];
    const before = await startFaultyHttp('hang', { times: 1 });
    for (const name of names) await bench.hub.connect(name, bench.http(name, `${before.url}?${name}`));
    const sleeping = bench.call('first', 'echo');
    await until(() => before.requests.some(({ rpc }) => rpc === 'tools/call'), { describe: 'the call has arrived' });
    bench.events.length = 0;
    await bench.clock.jump(HOUR_MS);
    const { outcome } = await sleeping;
    // The bystander's output is looked after at all times, every so often.
    const waiting = bench.clock.delaysMs.filter((delayMs) => delayMs !== LOOK_MS);
    expect([outcome, waiting]).toEqual(['timeout', []]);
    // The network is not there yet when the first requests come.
    await before.close();
    await bench.bystanderAnswers();
    const readings = names.map((name) => bench.hub.readResource(name, 'faulty://text'));
    // What the random numbers above make of the first backoff of a second.
    const delays = [300, 600, 900];
    await until(() => delays.every((delayMs) => bench.clock.delaysMs.includes(delayMs)), {
      describe: 'each was tried once and waits',
    });
    await using _after = await startFaultyHttp('healthy', { port: before.port });
    for (const [index, delayMs] of delays.entries()) {
      await bench.clock.advance(delayMs - (delays[index - 1] ?? 0));
      await until(() => countOf(bench, 'server-connected') === index + 1, { describe: `${index + 1} are back` });
    }
    await Promise.all(readings);
    expect(countOf(bench, 'server-disconnected')).toBe(names.length);
    for (const name of names) await bench.hub.disconnect(name);
    return `the call in flight: ${outcome}, once; three servers back after ${delays.join(', ')} ms, each lost once and connected once`;
  },
);

function countOf(bench: FaultBench, type: string): number {
  return bench.events.filter((event) => event.type === type).length;
}
