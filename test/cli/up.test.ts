import { describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { until } from '../fixtures/until.ts';
import { CliFolder, declared } from './cli-folder.ts';
import type { RunningCli } from './cli-folder.ts';

function lines(running: RunningCli): readonly string[] {
  return running.stdout.split('\n').filter(Boolean);
}

describe('up without a terminal', () => {
  test('tells each change in a line with its time, and ends every server on SIGTERM with status 0', async () => {
    await using cli = await CliFolder.open({ fixture: declared(v2Stdio()), gone: { command: 'no-such-command' } });
    await using running = cli.start(['up']);
    await until(() => running.stdout.includes('1 of 2 servers connected'), { describe: 'all servers have settled' });
    const atWork = processesMarked(cli.mark).length;
    running.child.kill('SIGTERM');
    const { status, stderr } = await running.ended;
    expect({ status, stderr, atWork: atWork > 0, left: processesMarked(cli.mark) }).toEqual({
      status: 0,
      stderr: '',
      atWork: true,
      left: [],
    });
    const texts = lines(running).map((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z (.*)$/.exec(line)?.[1] ?? '');
    expect(texts.filter((text) => !text.startsWith('fixture') && !text.startsWith('gone'))).toEqual([
      'starting 2 servers',
      expect.stringMatching(
        /^1 of 2 servers connected; try: node .*main\.js call fixture add$|^1 of 2 servers connected; try: node .* tools fixture$/,
      ),
      'stopping every server',
      'stopped',
    ]);
    expect(texts.filter((text) => text.startsWith('fixture'))).toEqual([
      'fixture connecting',
      expect.stringMatching(/^fixture connected \(stdio, \d+ tools, pid \d+\)$/),
    ]);
    expect(texts.filter((text) => text.startsWith('gone'))).toEqual([
      'gone connecting',
      expect.stringMatching(/^gone failed: COMMAND_NOT_FOUND: command 'no-such-command' not found/),
    ]);
  });

  test('without a verb it is the same, and SIGINT ends it with status 0', async () => {
    await using cli = await CliFolder.open({ fixture: declared(v2Stdio()) });
    await using running = cli.start([]);
    await until(() => running.stdout.includes('1 of 1 servers connected'), { describe: 'the server is connected' });
    running.child.kill('SIGINT');
    expect([(await running.ended).status, processesMarked(cli.mark)]).toEqual([0, []]);
  });

  test('a signal while servers are starting ends them too', async () => {
    await using cli = await CliFolder.open({ silent: declared(faulty('silent')) });
    await using running = cli.start(['up']);
    await until(() => processesMarked(cli.mark).length > 0, { describe: 'the server runs' });
    running.child.kill('SIGTERM');
    expect([(await running.ended).status, processesMarked(cli.mark)]).toEqual([0, []]);
  });

  test('a second Ctrl-C does not wait for a server that will not go', async () => {
    await using cli = await CliFolder.open({ stubborn: declared(faulty('ignore-eof-and-term')) });
    await using running = cli.start(['up']);
    await until(() => running.stdout.includes('1 of 1 servers connected'), { describe: 'the server is connected' });
    running.child.kill('SIGINT');
    await until(() => running.stdout.includes('stopping every server'), { describe: 'it is stopping' });
    // Sooner, it would be taken for the same Ctrl-C, passed on by npm.
    await new Promise((resolve) => setTimeout(resolve, 600));
    running.child.kill('SIGINT');
    const { status, stdout } = await running.ended;
    expect([status, stdout.includes('stopped')]).toEqual([130, false]);
    await until(() => processesMarked(cli.mark).length === 0, { describe: 'the server is gone all the same' });
  });

  test('a server that dies is told, and so is its return', async () => {
    await using cli = await CliFolder.open({ fixture: declared(v2Stdio()) });
    await using running = cli.start(['up']);
    const pid = await until(() => /pid (\d+)/.exec(running.stdout)?.[1], { describe: 'the server is connected' });
    process.kill(Number(pid), 'SIGKILL');
    await until(() => running.stdout.split('fixture connected').length === 3, { describe: 'it is connected again' });
    expect(
      lines(running)
        .map((line) => line.split(' ').slice(1, 3).join(' '))
        .filter((text) => text.startsWith('fixture')),
    ).toEqual([
      'fixture connecting',
      'fixture connected',
      'fixture lost:',
      'fixture reconnecting',
      'fixture connected',
    ]);
  });
});

describe('up --json', () => {
  test('prints one event per line and nothing else', async () => {
    await using cli = await CliFolder.open({ fixture: declared(v2Stdio()) });
    await using running = cli.start(['up', '--json']);
    await until(() => running.stdout.includes('"server-connected"'), { describe: 'the server is connected' });
    running.child.kill('SIGTERM');
    const { status, stderr } = await running.ended;
    const events = lines(running).map((line) => JSON.parse(line) as { type: string; at: number; server: string });
    expect({ status, stderr, first: events[0], servers: new Set(events.map(({ server }) => server)) }).toEqual({
      status: 0,
      stderr: '',
      first: {
        type: 'server-changed',
        at: expect.any(Number),
        server: 'fixture',
        change: 'phase',
        phase: 'connecting',
        status: 'pending',
      },
      servers: new Set(['fixture']),
    });
    expect(events.find(({ type }) => type === 'server-connected')).toMatchObject({
      server: 'fixture',
      tools: expect.any(Number),
    });
  });

  test('ends quietly, with its servers, when nobody reads on', async () => {
    await using cli = await CliFolder.open({ fixture: declared(v2Stdio()) });
    await using running = cli.start(['up', '--json']);
    await until(() => running.stdout !== '', { describe: 'the first event has come' });
    running.child.stdout.destroy();
    const { status, stderr } = await running.ended;
    expect([status, stderr, processesMarked(cli.mark)]).toEqual([0, '', []]);
  });
});

test('up with a config that declares nothing says so', async () => {
  await using cli = await CliFolder.open({});
  expect(await cli.run(['up'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('No servers are declared in'),
  });
});
