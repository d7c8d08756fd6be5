import { expect } from 'vitest';
import { Caller, Session, textOf, ToolCallLog } from '../../src/index.ts';
import type { FaultyMode } from '../fixtures/fixture-commands.ts';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';
import { heldMb, measuringMemory } from './memory.ts';

const CALL_TIMEOUT_MS = 5_000;

faultRow(
  {
    row: 4,
    fault: 'log noise on stdout before and between messages',
    expected: 'ignored and counted, with one warning',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'noise'));
    const { outcome, content } = await bench.call('faulty', 'echo', 'through the noise');
    expect([outcome, textOf(content)]).toEqual(['ok', 'through the noise']);
    await bench.bystanderAnswers();
    const { droppedMessages = 0 } = bench.hub.serverStatus('faulty');
    expect(droppedMessages).toBeGreaterThan(3);
    const warnings = bench.logger.lines.filter(
      ({ level, fields }) => level === 'warn' && fields?.['server'] === 'faulty',
    );
    expect(warnings).toHaveLength(1);
    return `call ${outcome}; ${droppedMessages} lines dropped, ${warnings.length} warning`;
  },
);

faultRow(
  {
    row: 5,
    fault: '200 MB on stdout without a newline',
    expected: 'killed at 64 MB (PROTOCOL_ERROR), call ambiguous, memory bounded, then started again',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'flood', { bytes: 200 * 1024 * 1024 }));
    const living = bench.processesOf('faulty');
    const { result: report, growthMb } = await measuringMemory(async () => {
      const flooded = bench.call('faulty', 'echo');
      await bench.bystanderAnswers();
      return flooded;
    });
    expect(report.outcome).toBe('ambiguous');
    const lost = bench.events.find((event) => event.type === 'server-disconnected' && event.server === 'faulty');
    expect(lost).toMatchObject({ error: expect.stringMatching(/wrote 67108864 bytes without a line break/) });
    expect(bench.statuses.some(({ name, errorCode }) => name === 'faulty' && errorCode === 'PROTOCOL_ERROR')).toBe(
      true,
    );
    expect(growthMb).toBeLessThan(128);
    await until(() => bench.hub.serverStatus('faulty').status === 'connected', { describe: 'it is started again' });
    expect(bench.processesOf('faulty').filter((pid) => living.includes(pid))).toEqual([]);
    const next = await bench.call('faulty', 'look');
    expect(next.outcome).toBe('ok');
    return `killed at 64 MB (PROTOCOL_ERROR); call ${report.outcome}; our memory grew by ${growthMb} MB at most; next call ${next.outcome}`;
  },
);

faultRow(
  {
    row: 8,
    fault: 'call hangs',
    proves: '[S1.fail-timeout]',
    expected: 'timeout, and the server is told that the call is cancelled; it stays connected',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'hang-on-call', { received: bench.folder.file('received') });
    const { pid } = await bench.hub.connect('faulty', faulty.withTimeout(CALL_TIMEOUT_MS));
    const hanging = bench.call('faulty', 'echo');
    await until(() => methodsIn(bench).includes('tools/call'), { describe: 'the call has arrived' });
    await bench.bystanderAnswers();
    await bench.clock.advance(CALL_TIMEOUT_MS);
    const { outcome } = await hanging;
    expect(outcome).toBe('timeout');
    expect(bench.errors.at(-1)).toMatchObject({
      name: 'McpTimeoutError',
      timeoutMs: CALL_TIMEOUT_MS,
      serverName: 'faulty',
    });
    await until(() => methodsIn(bench).includes('notifications/cancelled'), { describe: 'the server was told' });
    const next = await bench.call('faulty', 'look');
    expect([next.outcome, bench.hub.serverStatus('faulty').pid]).toEqual(['ok', pid]);
    return `${outcome} after ${CALL_TIMEOUT_MS} ms, cancelled at the server; same process, next call ${next.outcome}`;
  },
);

faultRow(
  {
    row: 9,
    fault: 'late reply after the timeout',
    proves: '[S3.jsonrpc]',
    expected: 'dropped and counted; it answers no other call',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'late-reply', {
      until: 'next-call',
      received: bench.folder.file('received'),
    });
    await bench.hub.connect('faulty', faulty.withTimeout(CALL_TIMEOUT_MS));
    const first = bench.call('faulty', 'echo', 'first');
    await until(() => methodsIn(bench).includes('tools/call'), { describe: 'the call has arrived' });
    await bench.clock.advance(CALL_TIMEOUT_MS);
    const { outcome } = await first;
    expect(outcome).toBe('timeout');
    await bench.bystanderAnswers();
    const second = await bench.call('faulty', 'echo', 'second');
    expect([second.outcome, textOf(second.content)]).toEqual(['ok', 'second']);
    const { droppedMessages } = bench.hub.serverStatus('faulty');
    expect(droppedMessages).toBe(1);
    return `first call ${outcome}; second got its own answer; ${droppedMessages} message dropped`;
  },
);

faultRow(
  {
    row: 15,
    fault: 'unknown, repeated and wrong ids, double replies',
    proves: '[S3.jsonrpc]',
    expected: 'ignored and counted; calls get their own answers, or time out when there is none',
  },
  async (bench) => {
    const observed: string[] = [];
    for (const mode of ['unknown-id', 'duplicate-id', 'double-reply'] as const) {
      await bench.hub.connect(mode, bench.faulty(mode, mode));
      const { outcome, content } = await bench.call(mode, 'echo', `own answer of ${mode}`);
      expect([outcome, textOf(content)]).toEqual(['ok', `own answer of ${mode}`]);
      await until(() => bench.hub.serverStatus(mode).droppedMessages === 1, {
        describe: `the stray answer of ${mode} came`,
      });
      observed.push(`${mode} ${outcome}, 1 dropped`);
    }
    await bench.hub.connect('wrong-id', bench.faulty('wrong-id', 'wrong-id').withTimeout(CALL_TIMEOUT_MS));
    const unanswered = bench.call('wrong-id', 'echo');
    await until(() => bench.hub.serverStatus('wrong-id').droppedMessages === 1, { describe: 'the wrong answer came' });
    await bench.bystanderAnswers();
    await bench.clock.advance(CALL_TIMEOUT_MS);
    const { outcome } = await unanswered;
    expect(outcome).toBe('timeout');
    return [...observed, `wrong-id ${outcome}, 1 dropped`].join('; ');
  },
);

faultRow(
  {
    row: 16,
    fault: 'result null, missing or of a wrong type',
    expected: 'that call fails at once (INVALID_RESULT); the connection lives',
  },
  async (bench) => {
    const spoilt: readonly (readonly [FaultyMode, Readonly<Record<string, unknown>>])[] = [
      ['null-result', {}],
      ['empty-answer', {}],
      ['wrong-type-result', { result: { content: 42 } }],
      ['wrong-type-result', { result: { content: [{ type: 5 }] } }],
      ['wrong-type-result', { result: { content: ['text'] } }],
      ['wrong-type-result', { result: 'text' }],
      ['wrong-type-result', { result: [] }],
    ];
    const names = await Promise.all(
      spoilt.map(async ([mode, options], index) => {
        const name = `faulty-${index}`;
        const { pid } = await bench.hub.connect(name, bench.faulty(name, mode, options));
        expect(await outcomeAndCode(bench, name)).toEqual(['tool-error', 'INVALID_RESULT']);
        const next = await bench.call(name, 'look');
        expect([next.outcome, bench.hub.serverStatus(name).pid]).toEqual(['ok', pid]);
        return name;
      }),
    );
    await bench.bystanderAnswers();
    return `${names.length} kinds of wrong results: each tool-error (INVALID_RESULT) without waiting; next calls ok, same processes`;
  },
);

faultRow(
  {
    row: 17,
    fault: '12 MB result',
    expected: 'only that call fails (RESULT_TOO_LARGE), wherever the id stands; the connection lives',
  },
  async (bench) => {
    const observed: string[] = [];
    for (const idFirst of [false, true]) {
      const name = idFirst ? 'id-first' : 'id-last';
      const { pid } = await bench.hub.connect(name, bench.faulty(name, 'huge-result', { idFirst }));
      const { growthMb } = await measuringMemory(async () => {
        const huge = outcomeAndCode(bench, name);
        const beside = bench.call(name, 'look');
        await bench.bystanderAnswers();
        expect(await huge).toEqual(['tool-error', 'RESULT_TOO_LARGE']);
        expect((await beside).outcome).toBe('ok');
      });
      expect(growthMb).toBeLessThan(100);
      expect(bench.hub.serverStatus(name).pid).toBe(pid);
      observed.push(
        `${name}: tool-error (RESULT_TOO_LARGE), the call beside it ok, same process, memory +${growthMb} MB`,
      );
    }
    return observed.join('; ');
  },
);

faultRow(
  {
    row: 19,
    fault: 'result of 100,000 tokens',
    expected: 'cut, with a notice and a handle that reads every character; what is old is let go',
  },
  async (bench) => {
    const characters = 400_000;
    const { pid } = await bench.hub.connect('faulty', bench.faulty('faulty', 'huge-result', { bytes: characters }));
    const report = await bench.call('faulty', 'echo');
    const shown = textOf(report.content);
    const { handle = '', totalCharacters } = report.truncated ?? {};
    expect([report.outcome, totalCharacters]).toEqual(['ok', characters]);
    expect(shown.length).toBeLessThan(101_000);
    expect(shown).toContain(`read_result {"handle": "${handle}", "offset": `);
    await bench.bystanderAnswers();
    let read = 0;
    for (let offset = 0; offset < characters; offset = read) {
      const piece = await bench.caller.call('read_result', { handle, offset, length: 50_000 });
      read += textOf(piece.content).split('\n')[0]?.length ?? 0;
    }
    expect(read).toBe(characters);
    const grownMb = await heldAfterMany(bench, 400);
    // 160 MB of text came; only the newest 64 MB of it can still be read, and no log holds on to more.
    expect(grownMb).toBeLessThan(110);
    const next = await bench.call('faulty', 'look');
    expect([next.outcome, bench.hub.serverStatus('faulty').pid]).toEqual(['ok', pid]);
    return `${shown.length} of ${characters} characters shown, all read by the handle; after 400 such results ${grownMb} MB are held, the first one let go`;
  },
);

faultRow(
  {
    row: 20,
    fault: 'result nested 20,000 deep',
    expected: 'that call fails at once (INVALID_RESULT); the hub and the connection live',
  },
  async (bench) => {
    const { pid } = await bench.hub.connect('faulty', bench.faulty('faulty', 'deep-json'));
    const { growthMb, result } = await measuringMemory(() => outcomeAndCode(bench, 'faulty'));
    expect(result).toEqual(['tool-error', 'INVALID_RESULT']);
    expect(growthMb).toBeLessThan(100);
    await bench.bystanderAnswers();
    const next = await bench.call('faulty', 'look');
    expect([next.outcome, bench.hub.serverStatus('faulty').pid]).toEqual(['ok', pid]);
    return `${result.join(' ')}; same process, next call ${next.outcome}; memory +${growthMb} MB`;
  },
);

/** Calls often in a session that logs its calls; gives how much memory is held in the end. */
async function heldAfterMany(bench: FaultBench, times: number): Promise<number> {
  const session = new Session({ slices: [ToolCallLog] });
  const caller = new Caller({ hub: bench.hub, clock: bench.clock, session, resultCharacters: 4_000 });
  const before = heldMb();
  for (let call = 0; call < times; call += 1) await caller.call({ server: 'faulty', tool: 'echo' }, { message: 'x' });
  const grownMb = heldMb() - before;
  expect(session.slice(ToolCallLog).all()).toHaveLength(times);
  const first = await caller.call('read_result', { handle: 'result-1' });
  expect(first).toMatchObject({ outcome: 'invalid', message: expect.stringContaining("no result 'result-1' is kept") });
  const last = await caller.call('read_result', { handle: `result-${times}` });
  expect(last.outcome).toBe('ok');
  return grownMb;
}

/** Calls the tool that is spoilt, both as an agent and directly, and gives the outcome and the code of the error. */
async function outcomeAndCode(bench: FaultBench, server: string): Promise<readonly [string, string]> {
  const { outcome } = await bench.call(server, 'echo');
  const error = await bench.failure(bench.hub.callTool(server, 'echo', { arguments: { message: 'again' } }));
  return [outcome, error.code];
}

function methodsIn(bench: FaultBench): readonly string[] {
  return bench.folder.lines('received').map((line) => (JSON.parse(line) as { method: string }).method);
}
