import { describe, expect, test } from 'vitest';
import type { ServerStatus } from '../hub/server-status.ts';
import { adviceFor } from './advice.ts';

function failed(errorCode: string, more: Partial<ServerStatus> = {}): ServerStatus {
  return {
    name: 'server',
    status: 'failed',
    phase: 'failed',
    transport: 'stdio',
    scope: 'project',
    error: 'something is wrong',
    errorCode,
    config: { type: 'stdio', command: 'npx', args: ['-y', 'a b'] },
    isolation: 'off',
    tools: [],
    restarts: 0,
    since: 0,
    ...more,
  };
}

const REMOTE: Partial<ServerStatus> = {
  transport: 'http',
  config: { type: 'http', url: 'https://example.com/mcp', headers: {} },
};

describe('what to do next', () => {
  test('a known program is said to come with something', () => {
    expect(adviceFor(failed('COMMAND_NOT_FOUND'))[0]).toContain('npx comes with Node.js');
  });

  test('an unknown program may be misspelled', () => {
    const config = { type: 'stdio', command: '/opt/toString' } as const;
    expect(adviceFor(failed('COMMAND_NOT_FOUND', { config }))[0]).toContain("Check the spelling of '/opt/toString'");
  });

  test('a whole command line is no command', () => {
    const config = { type: 'stdio', command: 'npx -y some-server' } as const;
    expect(adviceFor(failed('COMMAND_NOT_FOUND', { config }))[0]).toContain('Move all but the program into args');
  });

  test('a missing secret is named, with where to set it; others and those with a default are not', () => {
    const config = {
      type: 'stdio',
      command: 'x',
      env: { A: '${TOKEN_A}', B: '${TOKEN_B}', C: '${TOKEN_C:-***}' },
    } as const;
    expect(adviceFor(failed('SECRET_MISSING', { config, error: 'TOKEN_A (in env.A) is not set, TOKEN_C' }))).toEqual([
      'Set TOKEN_A: run `export TOKEN_A=…` before fairlead, or put the line TOKEN_A=… into .env.',
    ]);
  });

  test('a secret source that cannot be read is advised on all the same', () => {
    expect(adviceFor(failed('SECRET_MISSING'))).toEqual(['Set the variable in the environment or in .env.']);
  });

  test('a command to run by hand can be pasted', () => {
    expect(adviceFor(failed('SERVER_EXITED'))[0]).toBe('Run it by hand to see all it says: npx -y "a b"');
    const config = { type: 'stdio', command: 'node', args: ['-e', 'f(()=>`$1`)', '--key=${KEY}', './a-b.js'] } as const;
    expect(adviceFor(failed('SERVER_EXITED', { config }))[0]).toContain(
      'node -e "f(()=>\\`\\$1\\`)" "--key=${KEY}" ./a-b.js',
    );
  });

  test.for(['CONNECT_TIMEOUT', 'CONNECTION_REFUSED', 'CONNECT_FAILED', 'AUTH_REQUIRED', 'NOT_MCP'])(
    '%s of a remote server names its url',
    (code) => {
      expect(adviceFor(failed(code, REMOTE)).join(' ')).toContain('https://example.com/mcp');
    },
  );

  test.for(['CONNECT_TIMEOUT', 'CONNECT_FAILED'])('%s of a process names its command', (code) => {
    expect(adviceFor(failed(code)).join(' ')).toContain('npx -y "a b"');
  });

  test.for([
    'SPAWN_FAILED',
    'CONNECTION_LOST',
    'VERSION_UNSUPPORTED',
    'PROTOCOL_ERROR',
    'LIST_FAILED',
    'OVERLOADED',
    'ISOLATION_UNAVAILABLE',
  ])('%s has advice', (code) => {
    expect(adviceFor(failed(code)).length).toBeGreaterThan(0);
  });

  test.for(['TOOL_FAILED', 'toString'])('%s is no cause of a missing connection', (code) => {
    expect(adviceFor(failed(code))).toEqual([]);
  });
});
