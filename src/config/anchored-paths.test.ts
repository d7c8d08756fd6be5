import { expect, test } from 'vitest';
import { anchorPaths } from './anchored-paths.ts';
import { McpServer } from './server.ts';

const anchored = (command: string, cwd?: string) =>
  anchorPaths(McpServer.stdio('a', command, ['./data'], { ...(cwd !== undefined && { cwd }) }), '/conf').transport;

test('a relative working directory and a relative command with a slash are meant from the file’s folder', () => {
  expect(anchored('./bin/server', 'work')).toEqual({
    kind: 'stdio',
    command: '/conf/bin/server',
    args: ['./data'],
    env: {},
    cwd: '/conf/work',
  });
  expect(anchored('../server')).toMatchObject({ command: '/server' });
});

test('nothing else is changed', () => {
  for (const [command, cwd] of [
    ['npx', '/srv'],
    ['/usr/bin/node', undefined],
    ['${BIN}/server', '/srv'],
  ] as const) {
    expect(anchored(command, cwd)).toEqual(McpServer.stdio('a', command, ['./data'], cwd ? { cwd } : {}).transport);
  }
  const remote = McpServer.http('a', 'https://example.com');
  expect(anchorPaths(remote, '/conf')).toBe(remote);
});
