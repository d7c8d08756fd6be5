import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { freePort } from '../fixtures/start-http-server.ts';
import { CliFolder, declared } from './cli-folder.ts';

const SECRET = 'hush-hush-very-secret';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    fixture: declared(v2Stdio(), { disabledTools: ['nosuch'] }),
    twice: declared(faulty('duplicate-tools')),
    gone: { command: 'no-such-command' },
    crashing: declared(faulty('exit-at-start', { lines: ['no database'] })),
    refused: { url: `http://127.0.0.1:${await freePort()}/mcp` },
    locked: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${CLI_TEST_TOKEN}' } },
    leaky: declared(faulty('big-stderr-secret', { variable: 'TOKEN' }), { env: { TOKEN: '${LEAKY_TOKEN}' } }),
    off: declared(v2Stdio(), { enabled: false }),
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

const ENV = { LEAKY_TOKEN: SECRET };

describe('status', () => {
  test('[S3.status] is an array of every server, and exits with 0 whatever their state', async () => {
    const { status, stdout } = await cli.run(['status', '--json'], { env: ENV });
    const servers = JSON.parse(stdout) as { name: string; phase: string; errorCode?: string; tools: unknown[] }[];
    expect({ status, servers: servers.map(({ name, phase, errorCode }) => [name, phase, errorCode]) }).toEqual({
      status: 0,
      servers: [
        ['fixture', 'connected', undefined],
        ['twice', 'connected', undefined],
        ['gone', 'failed', 'COMMAND_NOT_FOUND'],
        ['crashing', 'failed', 'SERVER_EXITED'],
        ['refused', 'failed', 'CONNECTION_REFUSED'],
        ['locked', 'failed', 'SECRET_MISSING'],
        ['leaky', 'connected', undefined],
        ['off', 'disabled', undefined],
      ],
    });
    expect(servers[0]).toMatchObject({
      status: 'connected',
      transport: 'stdio',
      scope: 'project',
      pid: expect.any(Number),
      restarts: 0,
    });
  });

  test('--check exits with 1 when a server is not connected, in a table of one line each', async () => {
    const { status, stdout } = await cli.run(['status', '--check'], { env: ENV });
    expect({
      status,
      servers: stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +/).slice(0, 2)),
    }).toEqual({
      status: 1,
      servers: [
        ['SERVER', 'STATE'],
        ['fixture', 'connected'],
        ['twice', 'connected'],
        ['gone', 'failed'],
        ['crashing', 'failed'],
        ['refused', 'failed'],
        ['locked', 'failed'],
        ['leaky', 'connected'],
        ['off', 'disabled'],
      ],
    });
  });

  test('--check exits with 0 when all that are enabled are connected', async () => {
    await using well = await CliFolder.open({
      fixture: declared(v2Stdio()),
      off: { command: 'no-such-command', enabled: false },
    });
    expect(await well.run(['status', '--check'])).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('doctor', () => {
  test('says for each server what is wrong and what to do', async () => {
    const { status, stdout } = await cli.run(['doctor'], { env: ENV });
    const sections = new Map(stdout.split('\n\n').map((section) => [section.split(' ')[1] ?? '', section]));
    expect({
      status,
      fixture: sections.get('fixture'),
      twice: sections.get('twice'),
      off: sections.get('off'),
    }).toEqual({
      status: 1,
      fixture: expect.stringMatching(
        /^! fixture connected, stdio, \d+ tools\n    the tool filter names nosuch, which the server does not have$/,
      ),
      twice:
        '! twice connected, stdio, 2 tools\n    tool echo is quarantined: the server lists this name twice; the first is kept',
      off: '✓ off disabled, stdio',
    });
    expect(stdout.startsWith('Config: fairlead.yaml (project)\n')).toBe(true);
    expect(sections.get('gone')).toContain("→ Check the spelling of 'no-such-command'");
    expect(sections.get('crashing')).toMatch(
      /SERVER_EXITED\n {4}the process exited with code 3; it last wrote: no database\n/,
    );
    expect(sections.get('locked')).toContain('→ Set CLI_TEST_TOKEN: run `export CLI_TEST_TOKEN=…`');
    expect(sections.get('refused')).toContain('→ Nothing answers at http://127.0.0.1:');
    expect(stdout.trimEnd().endsWith('6 of 8 servers need attention.')).toBe(true);
  });

  test('is one JSON document with --json', async () => {
    const { stdout, stderr } = await cli.run(['doctor', '--json'], { env: ENV });
    const report = JSON.parse(stdout) as {
      ok: boolean;
      config: { files: object[] };
      servers: { name: string; ok: boolean }[];
    };
    expect({
      ok: report.ok,
      files: report.config.files,
      well: report.servers.filter(({ ok }) => ok).map(({ name }) => name),
      stderr,
    }).toEqual({
      ok: false,
      files: [{ path: cli.file('fairlead.yaml'), scope: 'project' }],
      well: ['leaky', 'off'],
      stderr: '',
    });
  });

  test('names a server that a stronger file shadows', async () => {
    await using folder = await CliFolder.open({ fixture: declared(v2Stdio()) });
    folder.write('.mcp.json', JSON.stringify({ mcpServers: { fixture: { command: 'other' } } }));
    const { status, stdout } = await folder.run(['doctor']);
    expect({ status, lines: stdout.split('\n').slice(0, 2) }).toEqual({
      status: 0,
      lines: [
        'Config: fairlead.yaml (project), .mcp.json (project)',
        '  .mcp.json:1:16 mcpServers.fixture: not used, because fairlead.yaml declares "fixture" too and comes first',
      ],
    });
  });
});
