import { expect } from 'vitest';
import { McpServer } from '../../src/index.ts';
import { freePort } from '../fixtures/start-http-server.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// How long a hub waits after each attempt when chance gives one half.
const DELAYS_MS = [
  [1, 500],
  [2, 1_000],
] as const;

faultRow(
  {
    row: 1,
    fault: 'command not found',
    proves: '[S3.statuses]',
    expected: 'failed (COMMAND_NOT_FOUND) at once, no retry',
  },
  async (bench) => {
    const error = await bench.failure(bench.hub.connect('faulty', bench.stdio('faulty', ['no-such-command-anywhere'])));
    expect(error).toMatchObject({ name: 'McpConnectionError', code: 'COMMAND_NOT_FOUND', serverName: 'faulty' });
    const { status, errorCode, restarts } = bench.hub.serverStatus('faulty');
    expect({ status, errorCode, restarts }).toEqual({ status: 'failed', errorCode: 'COMMAND_NOT_FOUND', restarts: 0 });
    const attempts = failedAttempts(bench);
    expect(attempts).toBe(1);
    const { outcome } = await bench.call('faulty', 'echo');
    expect(outcome).toBe('unavailable');
    await bench.bystanderAnswers();
    return `${status} (${errorCode}) after ${attempts} attempt; a call is ${outcome}`;
  },
);

faultRow(
  {
    row: 2,
    fault: 'exits 3 at start',
    proves: '[S1.connect-retries]',
    expected: 'three attempts with backoff, then failed with the code and the last lines of stderr',
    bench: { random: 0.5 },
  },
  async (bench) => {
    const counter = bench.folder.file('starts');
    const starts = (): number => Number(bench.folder.lines('starts')[0] ?? 0);
    const faulty = bench.faulty('faulty', 'exit-n-times', { times: 99, counter });
    const failing = bench.failure(bench.hub.connect('faulty', faulty));
    for (const [attempt, delayMs] of DELAYS_MS) {
      await until(() => failedAttempts(bench) === attempt, { describe: `attempt ${attempt} has failed` });
      expect(bench.hub.serverStatus('faulty').status).toBe('pending');
      await bench.bystanderAnswers();
      await bench.clock.advance(delayMs - 1);
      expect(starts()).toBe(attempt);
      await bench.clock.advance(1);
    }
    const error = await failing;
    expect(error).toMatchObject({ code: 'SERVER_EXITED', serverName: 'faulty' });
    expect(error.message).toMatch(/exited with code 3; it last wrote: .*start 3 fails/);
    const { status } = bench.hub.serverStatus('faulty');
    expect([status, starts()]).toEqual(['failed', 3]);
    return `${starts()} starts, 500 and 1000 ms between them; ${status}: ${error.message}`;
  },
);

faultRow(
  {
    row: 3,
    fault: 'never answers initialize',
    expected: 'each attempt times out and its process is killed before the next; failed after three',
  },
  async (bench) => {
    const received = bench.folder.file('received');
    const faulty = bench.faulty('faulty', 'silent', { received }).with({ connectTimeoutMs: CONNECT_TIMEOUT_MS });
    const failing = bench.failure(bench.hub.connect('faulty', faulty));
    const pids: (readonly number[])[] = [];
    for (const attempt of [1, 2, 3]) {
      await until(() => bench.folder.lines('received').length === attempt, { describe: `attempt ${attempt} runs` });
      pids.push(bench.processesOf('faulty'));
      await bench.bystanderAnswers();
      await bench.clock.advance(CONNECT_TIMEOUT_MS);
    }
    const error = await failing;
    expect(error).toMatchObject({ code: 'CONNECT_TIMEOUT', serverName: 'faulty' });
    expect(pids.flat().length).toBe(new Set(pids.flat()).size);
    expect(pids.every((living) => living.length > 0)).toBe(true);
    expect(bench.processesOf('faulty')).toEqual([]);
    const { status, restarts } = bench.hub.serverStatus('faulty');
    expect({ status, restarts }).toEqual({ status: 'failed', restarts: 2 });
    return `${status} (${error.code}) after ${restarts + 1} processes, one at a time; none is left`;
  },
);

faultRow(
  {
    row: 30,
    fault: 'connection refused; name not resolved',
    proves: '[S1.fail-refused]',
    expected: 'pending during backoff, then failed; a call tries again and works once the server is there',
    bench: { random: 0.5 },
  },
  async (bench) => {
    const port = await freePort();
    const { headers } = bench.canaries;
    // No name can have a label of 64 characters, so nobody is asked for it.
    const urls = { refused: `http://127.0.0.1:${port}/mcp`, unnamed: `http://${'x'.repeat(64)}.invalid/mcp` };
    const seen: string[] = [];
    for (const [name, url] of Object.entries(urls)) {
      const failing = bench.failure(bench.hub.connect(name, McpServer.http(name, url, { headers })));
      for (const [attempt, delayMs] of DELAYS_MS) {
        await until(() => failedAttempts(bench, name) === attempt, { describe: `attempt ${attempt} has failed` });
        seen.push(bench.hub.serverStatus(name).status);
        await bench.bystanderAnswers();
        await bench.clock.advance(delayMs);
      }
      const error = await failing;
      expect(error).toMatchObject({ name: 'McpConnectionError', code: 'CONNECTION_REFUSED', serverName: name });
      expect(failedAttempts(bench, name)).toBe(3);
      seen.push(bench.hub.serverStatus(name).status);
    }
    expect(seen).toEqual(['pending', 'pending', 'failed', 'pending', 'pending', 'failed']);
    await using _server = await startFaultyHttp('healthy', { port });
    const { outcome } = await bench.call('refused', 'echo');
    expect(outcome).toBe('ok');
    await bench.hub.disconnect('refused');
    return `both ${seen.slice(0, 3).join(', ')} (CONNECTION_REFUSED after 3 attempts); a call when the server is back: ${outcome}`;
  },
);

faultRow(
  {
    row: 43,
    fault: 'missing secret',
    expected: 'only that server is off; the name of the secret is told, no value is; nothing is started',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'healthy').withEnv({ API_KEY: 'key ${FAULT_MISSING}' });
    const error = await bench.failure(bench.hub.connect('faulty', faulty));
    expect(error).toMatchObject({ code: 'SECRET_MISSING', serverName: 'faulty' });
    expect(error.message).toContain('FAULT_MISSING');
    expect(bench.processesOf('faulty')).toEqual([]);
    expect(failedAttempts(bench)).toBe(1);
    await bench.bystanderAnswers();
    const { status } = bench.hub.serverStatus('faulty');
    expect(status).toBe('failed');
    return `${status} (${error.code}): ${error.message}`;
  },
);

function failedAttempts(bench: FaultBench, server = 'faulty'): number {
  return bench.logger.lines.filter(
    ({ message, fields }) => message === 'connect attempt failed' && fields?.['server'] === server,
  ).length;
}
