import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTransport, maskedTransport } from './masked-config.ts';
import { McpServer } from './server.ts';

describe('[S3.status-shape] the config in status', () => {
  test('of a stdio server shows no value of its environment', () => {
    const env = { TOKEN: 'abc', LOG: 'info', KEY: '${KEY}', AUTH: 'Bearer ${T}', MIXED: 'abc${T}', WITH: '${A:-abc}' };
    const { transport } = McpServer.stdio('a', 'npx', ['-y', 'pkg', '--api-key', 'abc'], { env, cwd: '/srv' });
    expect(maskedTransport(transport)).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg', '--api-key', '***'],
      cwd: '/srv',
      env: { TOKEN: '***', LOG: '***', KEY: '${KEY}', AUTH: 'Bearer ${T}', MIXED: '***', WITH: '${A:-***}' },
    });
  });

  test.each(['http', 'sse'] as const)('of an %s server shows no header and no secret of its url', (kind) => {
    const { transport } = McpServer[kind]('a', 'https://ada:abc@example.com/mcp?token=abc&q=1', {
      headers: { Authorization: 'Bearer abc', 'X-Key': '${KEY}' },
      oauth: { clientId: 'fairlead', clientSecret: 'abc', scopes: ['read'] },
    });
    expect(maskedTransport(transport)).toEqual({
      type: kind,
      url: 'https://ada:***@example.com/mcp?token=***&q=1',
      headers: { Authorization: '***', 'X-Key': '${KEY}' },
      oauth: { clientId: 'fairlead', clientSecret: '***', scopes: ['read'] },
    });
  });

  test('of the others is what they are', () => {
    const instance = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
    expect(maskedTransport(McpServer.sdk('here', instance).transport)).toEqual({ type: 'sdk', name: 'here' });
    expect(maskedTransport(McpServer.claudeAiProxy('a', 'https://x.example/p?key=abc', 'c1').transport)).toEqual({
      type: 'claudeai-proxy',
      url: 'https://x.example/p?key=***',
      id: 'c1',
    });
  });
});

describe('urls', () => {
  const shown = (url: string) => maskedTransport(McpServer.http('a', url).transport).url;

  test.each([
    ['${BASE:-https://api.example.com}/mcp', '${BASE:-https://api.example.com}/mcp'],
    ['${BASE:-https://ada:abc@example.com}/mcp', '${BASE:-https://ada:***@example.com}/mcp'],
    ['https://example.com/?token=${TOKEN}', 'https://example.com/?token=${TOKEN}'],
    ['https://example.com/?token=${TOKEN:-abc}', 'https://example.com/?token=${TOKEN:-***}'],
    ['https://example.com/${API_KEY:-abc}/mcp', 'https://example.com/${API_KEY:-***}/mcp'],
    ['https://ada:a/bc@example.com/', 'https://***'],
    ['nowhere', '***'],
  ])('%s is shown as %s', (url, expected) => {
    expect(shown(url)).toBe(expected);
  });
});

describe('one line for messages', () => {
  test.each([
    [McpServer.npm('a', 'pkg', ['--token=abc', '/tmp']), 'stdio: npx -y pkg --token=*** /tmp'],
    [McpServer.http('a', 'https://ada:abc@example.com/mcp?token=abc#x'), 'http: https://ada:***@example.com/mcp'],
    [McpServer.sse('a', 'https://example.com/sse'), 'sse: https://example.com/sse'],
    [McpServer.sdk('here'), 'sdk: here'],
    [McpServer.claudeAiProxy('a', 'https://example.com/p', 'c1'), 'claudeai-proxy: https://example.com/p'],
  ])('%#', (server, line) => {
    expect(describeTransport(server.transport)).toBe(line);
  });

  test('is short', () => {
    const line = describeTransport(McpServer.stdio('a', 'node', ['x'.repeat(500)]).transport);
    expect([line.length, line.slice(0, 13), line.at(-1)]).toEqual([120, 'stdio: node x', '…']);
  });
});

test('[S1.secrets] a plain value of env or headers is never shown, whatever it is', () => {
  const secret = fc.stringMatching(/^canary[\w!#%&()*+,./:;<=>?@^|~ -]{0,20}$/);
  fc.assert(
    fc.property(secret, (value) => {
      const stdio = McpServer.stdio('a', 'node', ['--password', value], {
        env: { A: value, B: `x ${value}`, C: `\${A:-${value}}` },
      });
      const http = McpServer.http('a', `https://x.example/?api_key=${encodeURIComponent(value)}`, {
        headers: { A: value },
      });
      for (const { transport } of [stdio, http]) {
        expect(JSON.stringify(maskedTransport(transport)) + describeTransport(transport)).not.toContain('canary');
      }
    }),
  );
});
