import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TEMPLATE, callOf, onServer, policyContext, toolRef } from '../../test/fixtures/policy-context.ts';
import { decide } from './decide.ts';
import type { Effect } from './effect.ts';
import { PatternPolicy } from './pattern-policy.ts';
import type { PatternPolicyOptions } from './pattern-policy.ts';
import { parseToolPattern } from './parse-tool-pattern.ts';
import { stricterOf } from './effect.ts';
import { matchesCall } from './tool-pattern.ts';

describe('a tool gets', () => {
  const admitted = (options: PatternPolicyOptions, address = 'git/push') =>
    new PatternPolicy(options).admit(toolRef(address), TEMPLATE).kind;

  test.each<[PatternPolicyOptions, Effect]>([
    [{}, 'allow'],
    [{ deny: ['git/push'] }, 'deny'],
    [{ ask: ['git/*'] }, 'ask'],
    [{ allow: ['git/*'] }, 'allow'],
    [{ allow: ['git/*'], ask: ['git/push'] }, 'ask'],
    [{ allow: ['git/*'], ask: ['*/*'], deny: ['*/push'] }, 'deny'],
    [{ allow: ['files/*'] }, 'ask'],
    [{ allow: [] }, 'ask'],
    [{ allow: ['files/*'], otherwise: 'deny' }, 'deny'],
    [{ deny: ['files/*'] }, 'allow'],
    [{ deny: ['push'] }, 'deny'],
    [{ ask: ['pu*'] }, 'ask'],
    [{ allow: ['push'] }, 'ask'],
    [{ allow: ['mcp__git__push'] }, 'allow'],
    [{ otherwise: 'deny' }, 'deny'],
    [{ deny: ['git/push(force=true)'] }, 'allow'],
    [{ ask: ['git/push(force=true)'], otherwise: 'deny' }, 'allow'],
    [{ deny: ['git/push(force=true)'], otherwise: 'deny' }, 'deny'],
    [{ allow: ['git/push(force=false)'] }, 'allow'],
    [{ allow: ['git/push(force=false)'], ask: ['git/push'] }, 'ask'],
  ])('by %j: %s', (options, effect) => {
    expect(admitted(options)).toBe(effect);
  });
});

test('the reason names the pattern and the policy', () => {
  const policy = new PatternPolicy({ name: 'house', ask: ['push'], deny: ['push(force=true)'], otherwise: 'deny' });
  const context = policyContext({ scope: onServer('git') });
  const bound = [{ policy, scope: context.scope }];
  expect([
    decide(bound, callOf('git/push'), context),
    decide(bound, callOf('git/push', { force: true }), context),
    decide(bound, callOf('git/pull'), context),
  ]).toEqual([
    { kind: 'ask', policy: 'house', reason: "Needs approval: 'git/push' matches 'push' in the policy 'house'." },
    { kind: 'deny', policy: 'house', reason: "Refused: 'git/push' matches 'push(force=true)' in the policy 'house'." },
    { kind: 'deny', policy: 'house', reason: "Refused: no pattern of the policy 'house' matches 'git/pull'." },
  ]);
});

test('what the tool is asked about is not asked again for its arguments', () => {
  const policy = new PatternPolicy({ ask: ['push(force=true)', 'push'] });
  const context = policyContext({ scope: onServer('git') });
  expect(decide([{ policy, scope: context.scope }], callOf('git/push', { force: true }), context)).toEqual({
    kind: 'ask',
    policy: 'patterns',
    reason: "Needs approval: 'git/push' matches 'push' in the policy 'patterns'.",
  });
});

test('a call gets what the first matching list says, and admission is never stricter than that', async () => {
  const pattern = fc.constantFrom('a/x', 'a/*', '*/x(n=1)', 'a/x(n=2)', 'a/*(n=3)', 'b/y', '*/*(n=*)');
  const patterns = fc.option(fc.array(pattern, { maxLength: 3 }), { nil: undefined });
  const given = fc.record({
    allow: patterns,
    ask: patterns,
    deny: patterns,
    otherwise: fc.option(fc.constantFrom<Effect>('allow', 'ask', 'deny'), { nil: undefined }),
  });
  const calls = ['a/x', 'a/z', 'b/y'].map((address) =>
    [{}, { n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }].map((args) => callOf(address, args)),
  );
  await fc.assert(
    fc.asyncProperty(given, async (lists) => {
      const options = Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined));
      const policy = new PatternPolicy(options);
      const matchesAny = (call: ReturnType<typeof callOf>, list: readonly string[] = []) =>
        list.some((text) => matchesCall(parseToolPattern(text), call, TEMPLATE));
      const expected = (call: ReturnType<typeof callOf>): Effect => {
        const effect = (['deny', 'ask', 'allow'] as const).find((kind) => matchesAny(call, lists[kind]));
        return effect ?? lists.otherwise ?? (lists.allow ? 'ask' : 'allow');
      };
      for (const ofOneTool of calls) {
        const effects = ofOneTool.map(expected);
        const decisions = ofOneTool.map(async (call) => decide([{ policy, scope: TEMPLATE }], call, policyContext()));
        expect((await Promise.all(decisions)).map(({ kind }) => kind)).toEqual(effects);
        const tool = ofOneTool[0]?.tool ?? toolRef('a/x');
        const admitted = policy.admit(tool, TEMPLATE).kind;
        for (const effect of effects) expect(stricterOf(admitted, effect)).toBe(effect);
      }
    }),
  );
});
