import { expect } from 'vitest';
import { textOf } from '../../src/index.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import type { FaultyHttpServer } from '../fixtures/servers/faulty-http.mjs';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

faultRow(
  {
    row: 31,
    fault: 'HTTP 500, 502 or 503 once',
    expected: 'lists and reads are asked for a second time; a call is not repeated after it was sent (ambiguous)',
  },
  async (bench) => {
    const seen: string[] = [];
    for (const status of [500, 502, 503]) {
      const on = ['tools/list', 'resources/list', 'resources/read', 'prompts/list', 'tools/call'];
      for (const method of on) {
        await using server = await startFaultyHttp('500-once', { status, on: method });
        const name = `faulty-${status}-${on.indexOf(method)}`;
        await bench.hub.connect(name, bench.http(name, server.url));
        await bench.hub.listResources(name);
        await bench.hub.readResource(name, 'faulty://text');
        await bench.hub.listPrompts(name);
        const { outcome } = await bench.call(name, 'echo');
        const isCall = method === 'tools/call';
        expect([method, outcome, timesAsked(server, method)]).toEqual([
          method,
          isCall ? 'ambiguous' : 'ok',
          isCall ? 1 : 2,
        ]);
        expect(bench.hub.serverStatus(name).status).toBe('connected');
        await bench.hub.disconnect(name);
        if (isCall) seen.push(`${status}: call ${outcome} after 1 request, lists and reads ok after 2`);
      }
      await bench.bystanderAnswers();
    }
    return seen.join('; ');
  },
);

faultRow(
  {
    row: 32,
    fault: '429 with Retry-After',
    expected: 'waited for up to 30 s and sent once more; beyond that an error at once that tells the time (OVERLOADED)',
  },
  async (bench) => {
    for (const [name, waitMs] of [
      ['seconds', 20_000],
      ['date', 2_000],
    ] as const) {
      const retryAfter = name === 'date' ? new Date(bench.clock.now() + waitMs).toUTCString() : waitMs / 1000;
      await using server = await startFaultyHttp('429', { retryAfter });
      await bench.hub.connect(name, bench.http(name, server.url));
      const call = bench.call(name, 'echo', 'once more');
      await until(() => bench.clock.delaysMs.includes(waitMs), { describe: 'the call waits' });
      await bench.bystanderAnswers();
      await bench.clock.advance(waitMs - 1);
      expect(timesAsked(server, 'tools/call')).toBe(1);
      await bench.clock.advance(1);
      const { outcome, content } = await call;
      expect([outcome, textOf(content), timesAsked(server, 'tools/call')]).toEqual(['ok', 'once more', 2]);
      await bench.hub.disconnect(name);
    }
    await using patient = await startFaultyHttp('429', { retryAfter: 60 });
    await bench.hub.connect('patient', bench.http('patient', patient.url));
    const { outcome, message } = await bench.call('patient', 'echo');
    expect([outcome, timesAsked(patient, 'tools/call')]).toEqual(['unavailable', 1]);
    expect(bench.errors.at(-1)).toMatchObject({ code: 'OVERLOADED', serverName: 'patient' });
    expect(message).toContain('wait 60 s');
    await bench.hub.disconnect('patient');
    return `20 s and a date 2 s away: ok after the wait, sent twice; 60 s: ${outcome} at once (${message})`;
  },
);

faultRow(
  {
    row: 33,
    fault: 'a web page instead of an answer',
    expected: 'NOT_MCP, and nothing of the page is repeated; a call so answered may have run: ambiguous',
  },
  async (bench) => {
    await using portal = await startFaultyHttp('html');
    const error = await bench.failure(bench.hub.connect('portal', bench.http('portal', portal.url)));
    expect(error).toMatchObject({ code: 'NOT_MCP', serverName: 'portal' });
    expect(error.message).not.toMatch(/hotel|doctype/);
    const { status } = bench.hub.serverStatus('portal');
    expect(status).toBe('failed');
    await using half = await startFaultyHttp('html', { on: 'tools/call' });
    await bench.hub.connect('half', bench.http('half', half.url));
    const { outcome, message } = await bench.call('half', 'echo');
    expect(bench.errors.at(-1)).toMatchObject({ code: 'CALL_AMBIGUOUS' });
    expect(message).not.toMatch(/hotel|doctype/);
    await bench.bystanderAnswers();
    await closeAll(bench, 'portal', 'half');
    return `${status} (${error.code}): ${error.message}; a call so answered: ${outcome}`;
  },
);

faultRow(
  {
    row: 34,
    fault: 'the body of an error holds a secret and a page of HTML',
    expected: 'the secret is masked, and the message is short',
  },
  async (bench) => {
    const [secret = ''] = bench.canaries.values;
    const lengths: number[] = [];
    for (const status of [500, 400, 403, 429]) {
      await using server = await startFaultyHttp('secret-error', { status, secret });
      const name = `faulty-${status}`;
      await bench.hub.connect(name, bench.http(name, server.url));
      const error = await bench.failure(bench.hub.callTool(name, 'echo', { arguments: { message: 'x' } }));
      expect(error.message).toMatch(/cannot use \*\*\*/);
      lengths.push(error.message.length);
      await bench.call(name, 'echo');
      await bench.bystanderAnswers();
      await closeAll(bench, name);
    }
    expect(Math.max(...lengths)).toBeLessThan(260);
    return `4 statuses: masked, ${Math.min(...lengths)} to ${Math.max(...lengths)} characters of about 2,100`;
  },
);

faultRow(
  {
    row: 37,
    fault: 'a redirect to another host',
    proves: '[S3.headers]',
    expected: 'refused (NOT_MCP, a call ambiguous); neither the request nor a header goes there',
  },
  async (bench) => {
    const seen: string[] = [];
    for (const status of [301, 302, 303, 307, 308]) {
      for (const on of ['*', 'tools/call']) {
        await using server = await startFaultyHttp('redirect', { status, on });
        const name = `faulty-${status}-${on === '*' ? 'all' : 'call'}`;
        const using = bench.hub
          .connect(name, bench.http(name, server.url))
          .then(() => bench.hub.callTool(name, 'echo', { arguments: { message: 'x' } }));
        const error = await bench.failure(using);
        expect([error.code, server.other?.requests]).toEqual([on === '*' ? 'NOT_MCP' : 'CALL_AMBIGUOUS', []]);
        seen.push(error.code);
        await closeAll(bench, name);
      }
    }
    await bench.bystanderAnswers();
    return `${seen.length} redirects of the handshake and of a call: ${seen.slice(0, 2).join(', ')}; 0 requests reached the other host`;
  },
);

faultRow(
  {
    row: 38,
    fault: 'the session is no longer known (404, or 400 that says so)',
    expected: 'initialized again once and sent again; if that does not help, an error (CONNECTION_LOST)',
  },
  async (bench) => {
    const seen: string[] = [];
    for (const style of [404, 400] as const) {
      await using server = await startFaultyHttp('session-expiry', { style });
      const name = `forgetful-${style}`;
      await bench.hub.connect(name, bench.http(name, server.url));
      const outcomes = [(await bench.call(name, 'echo')).outcome, (await bench.call(name, 'echo')).outcome];
      expect([...outcomes, server.executions.length, timesAsked(server, 'initialize')]).toEqual(['ok', 'ok', 2, 2]);
      await closeAll(bench, name);
      await using hopeless = await startFaultyHttp('session-expiry', { style, after: 0, times: 99 });
      await bench.hub.connect(`hopeless-${style}`, bench.http(`hopeless-${style}`, hopeless.url));
      const { outcome } = await bench.call(`hopeless-${style}`, 'echo');
      expect([outcome, hopeless.executions.length, timesAsked(hopeless, 'tools/call')]).toEqual(['unavailable', 0, 2]);
      expect(bench.errors.at(-1)).toMatchObject({ code: 'CONNECTION_LOST' });
      await bench.bystanderAnswers();
      await closeAll(bench, `hopeless-${style}`);
      seen.push(`${style}: both calls ok with 2 handshakes; a server that always forgets: ${outcome} after 2 requests`);
    }
    return seen.join('; ');
  },
);

function timesAsked(server: FaultyHttpServer, method: string): number {
  return server.requests.filter(({ rpc }) => rpc === method).length;
}

/** A server that ends with its row must not be told goodbye later. */
async function closeAll(bench: FaultBench, ...names: readonly string[]): Promise<void> {
  for (const name of names) await bench.hub.disconnect(name);
}
