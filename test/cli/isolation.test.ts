import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixturePath } from '../fixtures/fixture-paths.ts';
import { needingSandbox, sandboxGap } from '../fixtures/sandbox-here.ts';
import { CliFolder, declared } from './cli-folder.ts';

const prying = { command: process.execPath, args: [fixturePath('prying-server.mjs')] };

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    strict: declared(prying, { isolation: { sandbox: 'required', networkPolicy: { domains: [] } } }),
    easy: declared(prying, { isolation: 'preferred' }),
    off: declared(prying),
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

/** The rows of the table, as far as the isolation. */
function rows(stdout: string): readonly (readonly string[])[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(0, 4));
}

describe('where there is no sandbox', () => {
  const env = { PATH: '/nowhere' };

  test('status shows what was refused, and loudly what runs without', async () => {
    const { stdout } = await cli.run(['status'], { env });
    expect(rows(stdout)).toEqual([
      ['SERVER', 'STATE', 'TRANSPORT', 'ISOLATION'],
      ['strict', 'failed', 'stdio', 'required'],
      ['easy', 'connected', 'stdio', 'NOT ISOLATED'],
      ['off', 'connected', 'stdio', 'off'],
    ]);
  });

  test('doctor says why, what to do, and which servers it concerns', async () => {
    const { status, stdout } = await cli.run(['doctor'], { env });
    expect(status).toBe(1);
    expect(stdout).toContain('Sandbox: not available: bubblewrap is not installed; install it');
    expect(stdout).toMatch(
      /✗ strict failed, stdio, required ISOLATION_UNAVAILABLE\n {4}isolation is required, but bubblewrap/,
    );
    expect(stdout).toMatch(/! easy connected, stdio, \d+ tools, NOT ISOLATED\n {4}NOT ISOLATED, although it should be/);
    expect(stdout).toMatch(/✓ off connected, stdio, \d+ tools\n/);
  });
});

describe.skipIf(sandboxGap !== undefined)(needingSandbox('where there is one'), () => {
  test('status and doctor show what holds each server', async () => {
    const { stdout } = await cli.run(['status']);
    expect(rows(stdout).map((row) => row[3])).toEqual([
      'ISOLATION',
      'sandbox, no network',
      'sandbox, open network',
      'off',
    ]);
    const doctor = await cli.run(['doctor', '--json']);
    expect([doctor.status, JSON.parse(doctor.stdout)]).toMatchObject([0, { ok: true, sandbox: { kind: 'available' } }]);
  });
});
