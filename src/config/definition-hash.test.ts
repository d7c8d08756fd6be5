import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitionHash } from './definition-hash.ts';
import { McpServer } from './server.ts';

const SERVER = McpServer.stdio('a', 'node', ['x'], { env: { A: '${A}' } });

test('is a sha256 in hex that does not change from one run to the next', () => {
  const definition =
    '{"connectTimeoutMs":30000,"elicitation":false,"isolation":"off","sampling":false,' +
    '"transport":{"headers":{},"kind":"http","url":"https://example.com/mcp"}}';
  const expected = createHash('sha256').update(definition).digest('hex');
  expect(definitionHash(McpServer.http('a', 'https://example.com/mcp'))).toBe(expected);
});

test('what a server is called and how its tools are offered does not matter', () => {
  const same = SERVER.with({
    name: 'b',
    displayName: 'B',
    description: 'Other',
    scope: 'user',
    toolPrefix: 'p',
    enabledTools: ['x'],
    disabledTools: ['y'],
    policies: ['p'],
    timeoutMs: 5,
    trust: 'trusted',
    mode: 'bridged',
    trackInvocations: false,
    pin: true,
    eager: true,
    enabled: false,
  });
  expect(definitionHash(same)).toBe(definitionHash(SERVER));
});

test('everything that shapes the connection does', () => {
  const others = [
    SERVER.withEnv({ A: '${B}' }),
    SERVER.withEnv({ B: '1' }),
    SERVER.with({ isolation: 'required' }),
    SERVER.with({ sampling: true }),
    SERVER.with({ elicitation: true }),
    SERVER.with({ connectTimeoutMs: 5 }),
    McpServer.stdio('a', 'node', ['y'], { env: { A: '${A}' } }),
    McpServer.stdio('a', 'deno', ['x'], { env: { A: '${A}' } }),
    McpServer.stdio('a', 'node', ['x'], { env: { A: '${A}' }, cwd: '/srv' }),
    McpServer.http('a', 'https://example.com'),
    McpServer.sse('a', 'https://example.com'),
    McpServer.http('a', 'https://example.com', { headers: { A: '1' } }),
    McpServer.http('a', 'https://example.com', { oauth: { clientId: 'a' } }),
    McpServer.sdk('a'),
    McpServer.claudeAiProxy('a', 'https://example.com', 'c1'),
  ];
  expect(new Set([SERVER, ...others].map(definitionHash)).size).toBe(others.length + 1);
});

test('a server object in this process is not part of it', () => {
  const instance = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
  expect(definitionHash(McpServer.sdk('a', instance))).toBe(definitionHash(McpServer.sdk('a')));
});

test('the order of keys does not matter, that of arguments does', () => {
  const env = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([name]) => name, minLength: 1 });
  fc.assert(
    fc.property(env, (entries) => {
      const hash = (values: readonly [string, string][]) =>
        definitionHash(McpServer.stdio('a', 'node', [], { env: Object.fromEntries(values) }));
      expect(hash(entries.toReversed())).toBe(hash(entries));
    }),
  );
  expect(definitionHash(McpServer.stdio('a', 'node', ['x', 'y']))).not.toBe(
    definitionHash(McpServer.stdio('a', 'node', ['y', 'x'])),
  );
});
