import { expect, test } from 'vitest';
import type { ServerStatus } from '../hub/server-status.ts';
import { createPaint } from './colour.ts';
import { diagnose } from './diagnosis.ts';
import { renderDiagnosis } from './diagnosis-text.ts';

const CONNECTED: ServerStatus = {
  name: 'files',
  status: 'connected',
  phase: 'connected',
  transport: 'stdio',
  scope: 'project',
  config: { type: 'stdio', command: 'files', args: [] },
  isolation: 'off',
  tools: [{ name: 'read' }],
  restarts: 0,
  since: 0,
};

const FAILED: ServerStatus = {
  ...CONNECTED,
  status: 'failed',
  phase: 'failed',
  error: 'the process exited with code 3',
  errorCode: 'SERVER_EXITED',
  tools: [],
  restarts: 2,
  stderr: '1\n2\n\n3\n4\n5\nno database\n',
};

function render(status: ServerStatus, width = Infinity): readonly string[] {
  return renderDiagnosis(diagnose(status), { paint: createPaint(false), width });
}

test('a healthy server is one line, whatever it wrote', () => {
  expect(render({ ...CONNECTED, stderr: 'listening' })).toEqual(['✓ files connected, stdio, 1 tool']);
});

test('a server that is switched off is well', () => {
  expect(render({ ...CONNECTED, status: 'disabled', phase: 'disabled', tools: [] })).toEqual([
    '✓ files disabled, stdio',
  ]);
});

test('quarantined tools and filters that name nothing need attention', () => {
  const tools = [{ name: 'read' }, { name: 'read', quarantined: 'listed twice' }];
  const status = { ...CONNECTED, tools, warnings: ['the tool filter names x, which the server does not have'] };
  expect([diagnose(status).ok, render(status)]).toEqual([
    false,
    [
      '! files connected, stdio, 1 tool',
      '    tool read is quarantined: listed twice',
      '    the tool filter names x, which the server does not have',
    ],
  ]);
});

test('dropped messages are told, and alone are no trouble', () => {
  const status = { ...CONNECTED, droppedMessages: 2 };
  expect([diagnose(status).ok, render(status)[1]]).toEqual([
    true,
    '    2 unusable messages were dropped; logs belong on stderr, not on stdout',
  ]);
});

test('a server that exited shows why, what it last wrote, and what to do', () => {
  expect(render(FAILED)).toEqual([
    '✗ files failed, stdio SERVER_EXITED',
    '    the process exited with code 3',
    '    it was tried 3 times',
    '    It last wrote to stderr:',
    '    │ 2',
    '    │ 3',
    '    │ 4',
    '    │ 5',
    '    │ no database',
    '    → Run it by hand to see all it says: files',
    '    → If it needs a variable, name it under env: a server sees little of your own environment.',
  ]);
});

test('what the error already quotes is not told twice', () => {
  expect(
    render({ ...FAILED, error: 'exited; it last wrote: no database', stderr: 'no database\n' }).join('\n'),
  ).not.toContain('│');
});

test('long lines are wrapped under their beginning', () => {
  expect(render({ ...FAILED, stderr: '', restarts: 0 }, 40)).toEqual([
    '✗ files failed, stdio SERVER_EXITED',
    '    the process exited with code 3',
    '    → Run it by hand to see all it says:',
    '      files',
    '    → If it needs a variable, name it',
    '      under env: a server sees little of',
    '      your own environment.',
  ]);
});

test('the diagnosis is plain data for --json', () => {
  expect(diagnose(FAILED)).toEqual({
    name: 'files',
    ok: false,
    phase: 'failed',
    transport: 'stdio',
    tools: 0,
    errorCode: 'SERVER_EXITED',
    error: 'the process exited with code 3',
    advice: expect.any(Array),
    quarantined: [],
    warnings: [],
    droppedMessages: 0,
    restarts: 2,
    stderr: ['2', '3', '4', '5', 'no database'],
  });
});
