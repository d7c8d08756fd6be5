import { expect, test } from 'vitest';
import type { ServerStatus } from '../hub/server-status.ts';
import { createPaint } from './colour.ts';
import { renderStatusTable } from './status-table.ts';

const paint = createPaint(false);

const FILES: ServerStatus = {
  name: 'files',
  status: 'connected',
  phase: 'connected',
  transport: 'stdio',
  scope: 'project',
  protocolVersion: '2025-11-25',
  config: { type: 'stdio', command: 'files', args: [] },
  isolation: 'off',
  tools: [{ name: 'read' }, { name: 'write', quarantined: 'listed twice' }],
  pid: 4711,
  restarts: 0,
  since: 1000,
};

const SEARCH: ServerStatus = {
  ...FILES,
  name: 'search',
  status: 'failed',
  phase: 'failed',
  transport: 'http',
  error:
    'one two\nthree four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen',
  tools: [],
  restarts: 2,
};

function failed(): ServerStatus {
  const { pid: _pid, protocolVersion: _version, ...rest } = SEARCH;
  return rest;
}

test('without a terminal each server is one whole line', () => {
  expect(renderStatusTable([FILES, failed()], { paint, width: Infinity, isTerminal: false })).toEqual([
    'SERVER  STATE      TRANSPORT  PROTOCOL    TOOLS   PID  ERROR',
    'files   connected  stdio      2025-11-25      1  4711',
    `search  failed     http       –               –     –  ${failed().error?.replace('\n', ' ')}`,
  ]);
});

test('how servers are isolated is shown as soon as one is meant to be, and loudly where it is not', () => {
  const confined = { ...FILES, isolation: 'required', confinement: { files: 'confined', network: [] } } as const;
  const missing = 'bubblewrap is not installed';
  const open = {
    ...FILES,
    name: 'open',
    isolation: 'preferred',
    confinement: { files: 'open', network: 'open', missing },
  } as const;
  const statuses = [confined, open, { ...FILES, name: 'off' }];
  const lines = renderStatusTable(statuses, { paint, width: Infinity, isTerminal: false });
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
    ['SERVER', 'STATE', 'TRANSPORT', 'ISOLATION'],
    ['files', 'connected', 'stdio', 'sandbox, no network'],
    ['open', 'connected', 'stdio', 'NOT ISOLATED'],
    ['off', 'connected', 'stdio', 'off'],
  ]);
});

test('on a terminal there are marks, and an error stands below its row in at most three lines', () => {
  expect(renderStatusTable([FILES, failed()], { paint, width: 49, isTerminal: true, now: 66_000 })).toEqual([
    '  SERVER  STATE      TRANSPORT  TOOLS   PID  TIME',
    '● files   connected  stdio          1  4711    1m',
    '✗ search  failed     http           –     –    1m',
    '    one two three four five six seven eight nine',
    '    ten eleven twelve thirteen fourteen fifteen',
    '    sixteen seventeen eighteen',
  ]);
  const long = { ...failed(), error: 'word '.repeat(100) };
  expect(renderStatusTable([long], { paint, width: 49, isTerminal: true }).slice(2)).toEqual([
    '    word word word word word word word word word',
    '    word word word word word word word word word',
    '    word word word word word word word word word…',
  ]);
});

test('a server that is being connected has the mark of the moment', () => {
  const connecting: ServerStatus = { ...failed(), status: 'pending', phase: 'connecting' };
  const [, row] = renderStatusTable([connecting], { paint, width: 80, isTerminal: true, now: 1000, spinner: '⠋' });
  expect(row).toBe('⠋ search  connecting  http           –    –    0s');
});
