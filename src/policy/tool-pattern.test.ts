import { describe, expect, test } from 'vitest';
import { TEMPLATE, callOf, onServer, toolRef } from '../../test/fixtures/policy-context.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { parseToolPattern } from './parse-tool-pattern.ts';
import { matchesCall, matchesTool } from './tool-pattern.ts';
import type { PolicyScope } from './tool-policy.ts';

describe('a name', () => {
  const section: PolicyScope = { kind: 'section', section: 's', covers: () => true };

  test.each<[string, string, PolicyScope, boolean]>([
    ['run', 'shell/run', onServer('shell'), true],
    ['run', 'other/run', onServer('shell'), false],
    ['run', 'run', onServer('shell'), false],
    ['mcp__shell__run', 'shell/run', onServer('shell'), false],
    ['other/run', 'other/run', onServer('shell'), true],
    ['*', 'other/run', onServer('shell'), false],
    ['run', 'shell/run', TEMPLATE, true],
    ['run', 'shell/run', section, true],
    ['runs', 'shell/run', TEMPLATE, false],
    ['run', 'run', TEMPLATE, true],
    ['mcp__shell__run', 'shell/run', section, true],
    ['mcp__shell__*', 'shell/run', TEMPLATE, true],
    ['shell/run', 'shell/run', section, true],
    ['shell/r*', 'shell/run', TEMPLATE, true],
    ['sh*/run', 'shell/run', { kind: 'tool', name: 'x' }, true],
    ['*/*', 'shell/run', TEMPLATE, true],
    ['*/*', 'run', TEMPLATE, false],
    ['shell/Run', 'shell/run', TEMPLATE, false],
  ])('%s on %s in %j: %j', (pattern, tool, scope, expected) => {
    expect(matchesTool(parseToolPattern(pattern), toolRef(tool), scope)).toBe(expected);
  });

  test('a native tool is known by its own name even if an agent sees another', () => {
    const tool = toolRef('read', { name: 'mcp__wink__read' });
    const names = ['read', 'mcp__wink__read', 'mcp__*'];
    expect(names.map((name) => matchesTool(parseToolPattern(name), tool, TEMPLATE))).toEqual([true, true, true]);
  });

  test('a tool whose name has a slash is found behind its server', () => {
    const tool = toolRef('a/b', { tool: 'b/c' });
    expect(matchesTool(parseToolPattern('a/b/c'), tool, TEMPLATE)).toBe(true);
  });
});

describe('arguments', () => {
  test.each<[string, JsonObject, boolean]>([
    ['x/t(command=*rm -rf*)', { command: 'sudo rm -rf /' }, true],
    ['x/t(command=*rm -rf*)', { command: 'ls' }, false],
    ['x/t(command=*)', {}, false],
    ['x/t(command=*)', { command: undefined }, false],
    ['x/t(command=)', { command: '' }, true],
    ['x/t(options.path=/tmp/*)', { options: { path: '/tmp/a' } }, true],
    ['x/t(options.path=/tmp/*)', { 'options.path': '/tmp/a' }, false],
    ['x/t(options.path=/tmp/*)', { options: null }, false],
    ['x/t(files.1=b)', { files: ['a', 'b'] }, true],
    ['x/t(force=true)', { force: true }, true],
    ['x/t(force=true)', { force: 'true' }, true],
    ['x/t(count=5)', { count: 5 }, true],
    ['x/t(value=null)', { value: null }, true],
    ['x/t(args=*"rm"*)', { args: ['rm', '-r'] }, true],
    ['x/t(o={"a":1*)', { o: { b: 2, a: 1 } }, true],
    ['x/t(a=1, b=2)', { a: 1, b: 2 }, true],
    ['x/t(a=1, b=2)', { a: 1, b: 3 }, false],
    ['x/t(a="1, 2)*")', { a: '1, 2) and more' }, true],
    ['x/t(a="\\*\\"\\\\")', { a: '*"\\' }, true],
    ['x/t(a="\\*")', { a: 'b' }, false],
    ['x/t(__proto__=*)', {}, false],
  ])('%s on %j: %j', (pattern, args, expected) => {
    expect(matchesCall(parseToolPattern(pattern), callOf('x/t', args), TEMPLATE)).toBe(expected);
  });

  test('do not matter for the question of the tool alone', () => {
    expect(matchesTool(parseToolPattern('x/t(a=1)'), toolRef('x/t'), TEMPLATE)).toBe(true);
  });

  test('do not matter for another tool', () => {
    expect(matchesCall(parseToolPattern('x/t(a=1)'), callOf('x/u', { a: 1 }), TEMPLATE)).toBe(false);
  });
});
