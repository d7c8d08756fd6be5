import { describe, expect, test } from 'vitest';
import { callOf, onServer, policyContext } from '../../test/fixtures/policy-context.ts';
import { Session } from '../session/session.ts';
import { decide } from './decide.ts';
import { RateLimitPolicy } from './rate-limit-policy.ts';

const WINDOW = { calls: 2, windowMs: 60_000 };

describe('[S2.rate] one call more than the limit is denied with the time to wait', () => {
  const effects = (policy: RateLimitPolicy, tools: readonly string[]) => {
    const session = new Session();
    return tools.map((tool) => policy.check(callOf(tool), policyContext({ session })).kind);
  };

  test('per server', () => {
    const policy = new RateLimitPolicy(WINDOW);
    const session = new Session();
    const at = (now: number) => policy.check(callOf('git/log'), policyContext({ session, now }));
    expect([at(0), at(12_000), at(48_000), at(59_999), at(60_000)]).toEqual([
      { kind: 'allow' },
      { kind: 'allow' },
      { kind: 'deny', reason: "Rate limit for server 'git': 2 calls in 60 s; try again in 12 s" },
      { kind: 'deny', reason: "Rate limit for server 'git': 2 calls in 60 s; try again in 1 s" },
      { kind: 'allow' },
    ]);
  });

  test('per server, for all of its tools together', () => {
    expect(effects(new RateLimitPolicy(WINDOW), ['a/x', 'a/y', 'a/z', 'b/x', 'one', 'two', 'three'])).toEqual([
      ...['allow', 'allow', 'deny', 'allow'],
      ...['allow', 'allow', 'deny'],
    ]);
  });

  test('per tool', () => {
    const policy = new RateLimitPolicy({ ...WINDOW, per: 'tool' });
    expect(effects(policy, ['a/x', 'a/x', 'a/x', 'a/y', 'b/x'])).toEqual(['allow', 'allow', 'deny', 'allow', 'allow']);
    const single = new RateLimitPolicy({ calls: 1, windowMs: 500, per: 'tool' });
    const session = new Session();
    void single.check(callOf('a/x'), policyContext({ session }));
    expect(single.check(callOf('a/x'), policyContext({ session }))).toEqual({
      kind: 'deny',
      reason: "Rate limit for tool 'a/x': 1 call in 1 s; try again in 1 s",
    });
  });

  test('for the tools that are named', () => {
    const policy = new RateLimitPolicy({ calls: 1, windowMs: 1000, tools: ['a/x'] });
    expect(effects(policy, ['a/x', 'a/y', 'a/y', 'a/x'])).toEqual(['allow', 'allow', 'allow', 'deny']);
  });
});

test('calls at the same moment cannot share the last place', async () => {
  const slow = { name: 'slow', check: async () => ({ kind: 'allow' }) as const };
  const policies = [slow, new RateLimitPolicy(WINDOW)].map((policy) => ({ policy, scope: onServer('a') }));
  const context = policyContext();
  const decisions = await Promise.all([1, 2, 3, 4].map(async () => decide(policies, callOf('a/x'), context)));
  expect(decisions.map(({ kind }) => kind)).toEqual(['allow', 'allow', 'deny', 'deny']);
});

test('sessions have limits of their own, unless the limit is shared', () => {
  const effects = (shared: boolean) => {
    const policy = new RateLimitPolicy({ calls: 1, windowMs: 1000, shared });
    return [1, 2].map(() => policy.check(callOf('a/x'), policyContext()).kind);
  };
  expect([effects(false), effects(true)]).toEqual([
    ['allow', 'allow'],
    ['allow', 'deny'],
  ]);
});

test('a call that is rolled back stays counted', () => {
  const policy = new RateLimitPolicy({ calls: 1, windowMs: 1000 });
  const session = new Session();
  const transaction = session.begin();
  void policy.check(callOf('a/x'), policyContext({ session: transaction }));
  transaction.rollback();
  expect(policy.check(callOf('a/x'), policyContext({ session })).kind).toBe('deny');
});

test('at two places it counts twice', () => {
  const policy = new RateLimitPolicy({ calls: 1, windowMs: 1000 });
  const session = new Session();
  const scopes = [onServer('a'), { kind: 'template' } as const];
  expect(scopes.map((scope) => policy.check(callOf('a/x'), policyContext({ session, scope })).kind)).toEqual([
    'allow',
    'allow',
  ]);
});

test.each([
  [{ calls: 0, windowMs: 1 }, 'calls must be a whole number from 1, not 0'],
  [{ calls: 1.5, windowMs: 1 }, 'calls must be a whole number from 1, not 1.5'],
  [{ calls: 1, windowMs: 0 }, 'windowMs must be positive, not 0'],
  [{ calls: 1, windowMs: Number.NaN }, 'windowMs must be positive, not NaN'],
])('%j is refused', (limit, message) => {
  expect(() => new RateLimitPolicy(limit)).toThrow(`policy 'rate-limit': ${message}`);
});
