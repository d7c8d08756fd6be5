import { describe, expect, test } from 'vitest';
import type { FieldWarning } from './config-problem.ts';
import { parseServer } from './parse-server.ts';
import type { ParseServerOptions } from './parse-server.ts';

const MCP_JSON: ParseServerOptions = { dialect: 'mcp-json' };

describe('references', () => {
  test('in command and args count in .mcp.json, with a warning for args', () => {
    const { server, warnings } = parsed('a', { command: '${BIN}', args: ['--key', '${KEY:-x}'] }, MCP_JSON);
    expect(server.transport).toMatchObject({ expandsArgs: true });
    expect(warnings).toEqual([{ path: ['args', 1], message: expect.stringContaining('can see the value of ${KEY}') }]);
  });

  test('elsewhere they are only text, and a warning says so', () => {
    const { server, warnings } = parsed('a', { transport: { command: 'node', args: ['${KEY:-canary}'] } });
    expect(server.transport).toEqual({ kind: 'stdio', command: 'node', args: ['${KEY:-canary}'], env: {} });
    expect(warnings).toEqual([
      { path: ['transport', 'args', 0], message: expect.stringContaining('${KEY} stays as it is') },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  test('of other programs are pointed out', () => {
    const { warnings } = parsed('a', { url: 'https://example.com', headers: { A: '${input:canary} ${B}' } });
    expect(warnings).toEqual([
      { path: ['headers', 'A'], message: expect.stringMatching(/^\$\{input:…\} stays as it is/) },
    ]);
  });

  test('make a url that cannot be judged yet', () => {
    expect(parseServer('a', { url: '${BASE}/mcp' }).transport).toMatchObject({ url: '${BASE}/mcp' });
  });
});

function parsed(name: string, raw: unknown, options: ParseServerOptions = {}) {
  const warnings: FieldWarning[] = [];
  const server = parseServer(name, raw, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { server, warnings };
}
