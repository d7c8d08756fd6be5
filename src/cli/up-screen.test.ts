import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { NO_FLAGS } from '../../test/fixtures/no-flags.ts';
import { until } from '../../test/fixtures/until.ts';
import { systemClock } from '../clock.ts';
import { McpServer } from '../config/server.ts';
import { LocalHub } from '../hub/local-hub.ts';
import { PatternPolicy } from '../policy/pattern-policy.ts';
import { SequentialDependencyPolicy } from '../policy/sequential-dependency-policy.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';
import { Interruption } from './interruption.ts';
import { Output } from './output.ts';
import { ownServer } from './own-server.ts';
import type { Setup } from './setup.ts';
import { UpScreen } from './up-screen.ts';

interface Terminal {
  readonly command: Command;
  /** The lines of the last drawing, without colours. */
  screen(): readonly string[];
}

function openTerminal(rows = 24): Terminal {
  let last = '';
  const clock = new ManualClock(Date.now());
  const write = (text: string | Uint8Array): void => {
    last = String(text);
  };
  const stdout = { isTTY: true, columns: 60, rows, write };
  const command: Command = {
    verb: 'up',
    positionals: [],
    flags: NO_FLAGS,
    output: new Output({ stdout, stderr: { write }, env: {}, noColor: false }),
    interruption: new Interruption({ clock, force: () => undefined }),
    clock,
    env: {},
    cwd: '/project',
    script: '/usr/bin/fairlead',
  };
  return {
    command,
    screen: () =>
      stripVTControlCharacters(last)
        .trimEnd()
        .split('\n')
        .map((line) => line.replace('\r', '')),
  };
}

function openHub(): LocalHub {
  const own = McpServer.sdk('own', () => ownServer(systemClock));
  return new LocalHub({ servers: [own, McpServer.stdio('gone', '/no/such/command')] });
}

const SETUP: Setup = {
  servers: [],
  sections: new Map(),
  policies: { namedPolicies: new Map(), sectionPolicies: [], policies: [] },
  secrets: [],
  files: [{ path: '/project/fairlead.yaml', scope: 'project' }],
  warnings: [],
  lookedFor: [],
  stateFolder: '/state',
};

test('the table follows the servers, and the footer names a command that works', async () => {
  await using hub = openHub();
  const { command, screen } = openTerminal();
  const view = new UpScreen(command);
  view.open({ hub, setup: SETUP, recorder: undefined });
  expect(screen()).toEqual([
    `fairlead ${VERSION} · fairlead.yaml · 0 of 2 connected`,
    '',
    '  SERVER  STATE  TRANSPORT  TOOLS  PID  TIME',
    '○ own     idle   sdk            –    –    0s',
    '○ gone    idle   stdio          –    –    0s',
    '',
    'Ctrl-C stops every server',
  ]);
  await hub.connectAll();
  await until(() => screen().includes('Try fairlead call own about'), { describe: 'both have settled' });
  expect(screen()).toEqual([
    `fairlead ${VERSION} · fairlead.yaml · 1 of 2 connected`,
    '',
    '  SERVER  STATE      TRANSPORT  TOOLS  PID  TIME',
    expect.stringMatching(/^● own {5}connected {2}sdk {12}4 {4}– {4}\ds$/),
    expect.stringMatching(/^✗ gone {4}failed {5}stdio {10}– {4}– {4}\ds$/),
    expect.stringMatching(/^ {4}command '\/no\/such\/command' not found/),
    expect.stringMatching(/^ {4}\S/),
    '',
    '1 not connected: fairlead doctor',
    'Try fairlead call own about',
    'Ctrl-C stops every server',
  ]);
  view.stopping();
  expect(screen().at(-1)).toMatch(/stopping every server \(Ctrl-C again does not wait\)$/);
  await hub.close();
  view.stopped();
  expect(screen()).toEqual(['Stopped every server.']);
});

test('the footer names no tool that a policy refuses or may refuse', async () => {
  await using hub = openHub();
  const { command, screen } = openTerminal();
  const policies = [
    new PatternPolicy({ name: 'quiet', deny: ['own/about'] }),
    new SequentialDependencyPolicy({ 'own/time': ['own/checksum'] }),
  ];
  new UpScreen(command).open({
    hub,
    setup: { ...SETUP, policies: { ...SETUP.policies, policies } },
    recorder: undefined,
  });
  await hub.connectAll();
  await until(() => screen().some((line) => line.startsWith('Try ')), { describe: 'both have settled' });
  expect(screen()).toContain('Try fairlead tools own');
});

test('a table higher than the terminal leaves room for the footer', async () => {
  await using hub = openHub();
  const { command, screen } = openTerminal(7);
  new UpScreen(command).open({ hub, setup: SETUP, recorder: undefined });
  expect(screen()).toEqual([
    expect.any(String),
    '',
    '  SERVER  STATE  TRANSPORT  TOOLS  PID  TIME',
    '… 2 more lines',
    '',
    'Ctrl-C stops every server',
  ]);
});
