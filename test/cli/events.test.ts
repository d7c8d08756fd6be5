import { appendFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { until } from '../fixtures/until.ts';
import { CliFolder, declared } from './cli-folder.ts';

const LOG = 'state/fairlead/events/events.jsonl';

function eventsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

function typesIn(text: string): readonly unknown[] {
  return eventsIn(text).map(({ type }) => type);
}

/** Writes a log with these lines, as `up` or `call` would have. */
function writeLog(cli: CliFolder, lines: readonly object[], name = LOG): void {
  mkdirSync(dirname(cli.file(name)), { recursive: true });
  writeFileSync(cli.file(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

describe('what is recorded', () => {
  let cli: CliFolder;

  beforeAll(async () => {
    cli = await CliFolder.open();
    cli.declare(
      {
        fixture: declared(v2Stdio(), { policies: ['names'], env: { API_KEY: '${API_KEY}' } }),
        idle: declared(v2Stdio()),
        gone: { command: 'no-such-command' },
      },
      { policies: { names: { kind: 'patterns', ask: ['add'] } } },
    );
    cli.write('.env', 'API_KEY=very-secret-key\n');
  });

  afterAll(() => cli[Symbol.asyncDispose]());

  test('of a call: its server, its approval, its start and its end; nothing of servers that it did not need', async () => {
    await cli.run(['call', 'fixture', 'add', 'a=1', 'b=2', '--yes']);
    const events = eventsIn(cli.lines(LOG).join('\n'));
    expect(events.map(({ type, server, mcpServer }) => [type, server ?? mcpServer])).toEqual([
      ['server-changed', 'fixture'],
      ['tools-changed', 'fixture'],
      ['server-connected', 'fixture'],
      ['server-changed', 'fixture'],
      ['approval-asked', 'fixture'],
      ['approval-decided', undefined],
      ['tool-started', 'fixture'],
      ['tool-invoked', 'fixture'],
      ['server-changed', 'fixture'],
    ]);
    expect(events[5]).toMatchObject({ decision: 'approved', by: '--yes' });
    expect(events[7]).toMatchObject({
      adapter: 'cli',
      name: 'mcp__fixture__add',
      params: { a: 1, b: 2 },
      outcome: 'ok',
    });
    expect(statSync(cli.file(LOG)).mode & 0o777).toBe(0o600);
  });

  test('of a call whose server cannot be started: how it ended', async () => {
    const { stdout } = await cli.run(['call', 'gone', 'x', 'a=b', '--json']);
    const { callId } = JSON.parse(stdout) as { callId: string };
    expect(eventsIn(cli.lines(LOG).join('\n')).filter((event) => event['callId'] === callId)).toEqual([
      {
        type: 'tool-invoked',
        at: expect.any(Number),
        callId,
        sessionId: expect.any(String),
        name: 'mcp__gone__x',
        adapter: 'cli',
        params: { a: 'b' },
        result: expect.objectContaining({ success: false }),
        outcome: 'unavailable',
        source: 'mcp',
        mcpServer: 'gone',
        durationMs: expect.any(Number),
      },
    ]);
  });

  test('no secret', async () => {
    const { stdout } = await cli.run(['call', 'fixture', 'env']);
    await cli.run(['call', 'fixture', 'echo', 'message=very-secret-key']);
    const log = cli.lines(LOG).join('\n');
    expect([
      stdout.includes('very-secret-key'),
      log.includes('mcp__fixture__env'),
      log.includes('very-secret'),
    ]).toEqual([true, true, false]);
  });

  test('nothing with --no-events', async () => {
    const before = cli.lines(LOG).length;
    await cli.run(['call', 'fixture', 'echo', 'message=x', '--no-events']);
    expect(cli.lines(LOG).length).toBe(before);
  });

  test('a log that cannot be written is told once and stops nothing', async () => {
    cli.write('a-file', '');
    const env = { FAIRLEAD_HOME: cli.file('a-file/state') };
    const { status, stdout, stderr } = await cli.run(['call', 'fixture', 'echo', 'message=x'], { env });
    expect({ status, stdout, warnings: stderr.split('\n').filter((line) => line.includes('events')) }).toEqual({
      status: 0,
      stdout: 'x\n',
      warnings: [expect.stringMatching(/^warn events are not recorded: /)],
    });
  });
});

test('up records what becomes of its servers, to the end', async () => {
  await using cli = await CliFolder.open({ fixture: declared(v2Stdio()), broken: declared(faulty('exit-at-start')) });
  await using running = cli.start(['up']);
  await until(() => running.stdout.includes('1 of 2 servers connected'), { describe: 'all servers have settled' });
  running.child.kill('SIGTERM');
  await running.ended;
  const told = eventsIn(cli.lines(LOG).join('\n')).map(({ type, server, change }) => [type, server, change]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['server-connected', 'fixture', undefined],
      ['server-failed', 'broken', undefined],
      ['server-changed', 'fixture', 'removed'],
    ]),
  );
});

describe('events', () => {
  let cli: CliFolder;

  beforeAll(async () => {
    cli = await CliFolder.open({});
  });

  afterAll(() => cli[Symbol.asyncDispose]());

  test('says so when there is no log yet', async () => {
    for (const flags of [[], ['--json']]) {
      expect(await cli.run(['events', ...flags])).toEqual({
        status: 0,
        signal: null,
        stdout: '',
        stderr: `There are no events yet: up and call write them to ${LOG}.\n`,
      });
    }
  });

  test('are lines of text, the last fifty unless said', async () => {
    const at = Date.UTC(2026, 0, 1);
    const lines = Array.from({ length: 60 }, (_, index) => ({ type: 'tool-started', at, name: `tool-${index}` }));
    writeLog(cli, [...lines, { type: 'tool-invoked', at, name: 'x', outcome: 'ok', durationMs: 3 }]);
    const all = await cli.run(['events']);
    const two = await cli.run(['events', '--limit', '2']);
    expect([all.stdout.split('\n').length - 1, two]).toEqual([
      50,
      {
        status: 0,
        signal: null,
        stdout:
          '2026-01-01T00:00:00.000Z  tool-started         tool-59\n2026-01-01T00:00:00.000Z  tool-invoked         x  ok, 3 ms\n',
        stderr: '',
      },
    ]);
  });

  test('--json gives them as they are stored, what was rotated away first; what is no event is counted', async () => {
    const stored = [
      { type: 'one', at: 1, more: { deep: [1] } },
      { type: 'two', at: 2 },
    ];
    writeLog(cli, stored.slice(0, 1), `${LOG}.1`);
    writeLog(cli, stored.slice(1));
    appendFileSync(cli.file(LOG), 'garbage\n{}\n');
    const { status, stdout, stderr } = await cli.run(['events', '--json']);
    expect({ status, stderr, events: eventsIn(stdout) }).toEqual({
      status: 0,
      stderr: '2 lines of the log cannot be read.\n',
      events: stored,
    });
  });

  test('--follow goes on while others write, also in a new file, until Ctrl-C, which is its good end', async () => {
    writeLog(cli, [], `${LOG}.1`);
    writeLog(cli, [{ type: 'one' }, { type: 'two' }]);
    await using running = cli.start(['events', '--follow', '--json', '--limit', '1']);
    const has = (type: string): Promise<unknown> =>
      until(() => running.stdout.includes(`"${type}"`), { describe: `${type} is shown` });
    await has('two');
    appendFileSync(cli.file(LOG), '{"type":"three"}\n');
    await has('three');
    renameSync(cli.file(LOG), cli.file(`${LOG}.1`));
    writeLog(cli, [{ type: 'four' }]);
    await has('four');
    running.child.kill('SIGINT');
    const { status, stdout, stderr } = await running.ended;
    expect([status, typesIn(stdout), stderr]).toEqual([0, ['two', 'three', 'four'], '']);
  });

  test('--follow waits for a log that is not there yet, and ends with whoever reads it', async () => {
    await using other = await CliFolder.open({});
    await using running = other.start(['events', '--follow', '--json']);
    await until(() => running.stderr.includes('There are no events yet'), { describe: 'it says so' });
    writeLog(other, [{ type: 'first' }]);
    await until(() => running.stdout.includes('first'), { describe: 'the first event is shown' });
    running.child.stdout.destroy();
    appendFileSync(other.file(LOG), '{"type":"second"}\n');
    expect((await running.ended).status).toBe(0);
  });

  test('a log that cannot be read exits with 1', async () => {
    await using other = await CliFolder.open({});
    mkdirSync(other.file(LOG), { recursive: true });
    const { status, stderr } = await other.run(['events']);
    expect([status, stderr.startsWith('fairlead: the events cannot be read: ')]).toEqual([1, true]);
  });
});
