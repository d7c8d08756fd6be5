import { expect, test } from 'vitest';
import { createLineLogger } from './log-lines.ts';

test('what is below the level is left out', () => {
  const lines: string[] = [];
  const logger = createLineLogger('warn', (line) => lines.push(line));
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) logger.log(level, `at ${level}`);
  expect(lines).toEqual(['warn at warn', 'error at error']);
});

test('a line names its server and its fields, and stays one line', () => {
  const lines: string[] = [];
  createLineLogger('trace', (line) => lines.push(line)).log('info', 'tool\nquarantined', {
    server: 'files',
    tool: 'read',
    reason: 'no name',
    count: 2,
    error: new Error('broken \u001B[31mred'),
    nothing: undefined,
  });
  expect(lines).toEqual([
    String.raw`info [files] tool quarantined tool=read reason="no name" count=2 error="broken \u001b[31mred" nothing=undefined`,
  ]);
});
