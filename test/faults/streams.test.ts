import { expect } from 'vitest';
import { textOf } from '../../src/index.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { startFaultyProcess } from '../fixtures/start-http-server.ts';
import { until } from '../fixtures/until.ts';
import { faultRow } from './fault-row.ts';
import { heldMb, measuringMemory } from './memory.ts';

const CALL_TIMEOUT_MS = 5_000;

// Reading 10 MB with fetch and keeping nothing takes 33 MB: the garbage of three copies in Node's own HTTP client.
const MAX_GROWTH_MB = 60;

faultRow(
  {
    row: 18,
    fault: '60 MB of JSON; an event that does not end',
    expected: 'cut at 10 MB, only that call fails (RESULT_TOO_LARGE), memory bounded; the connection lives',
  },
  async (bench) => {
    const seen: string[] = [];
    for (const mode of ['huge-body', 'endless-frame'] as const) {
      await using server = await startFaultyProcess(mode, { bytes: 60 * 1024 * 1024 });
      await bench.hub.connect(mode, bench.http(mode, server.url));
      const before = heldMb();
      const { result: report, growthMb } = await measuringMemory(async () => {
        const huge = bench.call(mode, 'echo');
        await bench.bystanderAnswers();
        return huge;
      });
      expect(report.outcome).toBe('tool-error');
      expect(bench.errors.at(-1)).toMatchObject({ code: 'RESULT_TOO_LARGE', serverName: mode });
      expect(growthMb).toBeLessThan(MAX_GROWTH_MB);
      expect(await bench.hub.readResource(mode, 'faulty://text')).toHaveLength(1);
      await until(() => heldMb() < before + 5, { describe: 'the memory is free again' });
      await bench.hub.disconnect(mode);
      seen.push(`${mode}: ${report.outcome} (RESULT_TOO_LARGE), +${growthMb} MB at most, free again after; then ok`);
    }
    return seen.join('; ');
  },
);

faultRow(
  {
    row: 35,
    fault: 'the stream of a call is cut before its answer',
    expected: 'ambiguous at once, not repeated; a stream with event ids is resumed once and the answer is got',
  },
  async (bench) => {
    await using server = await startFaultyHttp('sse-cut');
    await bench.hub.connect('cut', bench.http('cut', server.url));
    const { outcome, message } = await bench.call('cut', 'echo');
    expect([outcome, server.executions.length]).toEqual(['ambiguous', 1]);
    const next = await bench.call('cut', 'echo');
    expect([next.outcome, server.executions.length]).toEqual(['ok', 2]);
    await bench.hub.disconnect('cut');
    await using resumable = await startFaultyHttp('sse-cut', { resumable: true });
    await bench.hub.connect('resumed', bench.http('resumed', resumable.url));
    const call = bench.call('resumed', 'echo', 'kept');
    // The server asks to be left alone for 10 ms.
    await until(() => bench.clock.nextDelayMs === 10, { describe: 'the stream is cut' });
    await bench.bystanderAnswers();
    await bench.clock.advance(10);
    const resumed = await call;
    expect([resumed.outcome, textOf(resumed.content), resumable.executions.length]).toEqual(['ok', 'kept', 1]);
    await bench.hub.disconnect('resumed');
    return `${outcome} without waiting (${message.slice(0, 90)}…), run once; resumed: ${resumed.outcome}, run once`;
  },
);

faultRow(
  {
    row: 36,
    fault: 'a stream of keep-alives and no answer',
    expected: 'the call times out all the same; the server is told, and the stream is closed',
  },
  async (bench) => {
    await using server = await startFaultyHttp('sse-keep-alive', { everyMs: 5 });
    await bench.hub.connect('idle', bench.http('idle', server.url).withTimeout(CALL_TIMEOUT_MS));
    const call = bench.call('idle', 'echo');
    await until(() => server.openStreams === 1, { describe: 'the stream is open' });
    await bench.bystanderAnswers();
    await bench.clock.advance(CALL_TIMEOUT_MS);
    const { outcome } = await call;
    expect(outcome).toBe('timeout');
    await until(() => server.requests.some(({ rpc }) => rpc === 'notifications/cancelled'), {
      describe: 'the server was told',
    });
    await until(() => server.openStreams === 0, { describe: 'the stream is closed' });
    await bench.hub.disconnect('idle');
    return `${outcome} after ${CALL_TIMEOUT_MS} ms, cancelled at the server, no stream left open`;
  },
);
