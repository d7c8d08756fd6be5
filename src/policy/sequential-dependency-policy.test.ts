import { describe, expect, test } from 'vitest';
import { FAILURE, SUCCESS, callOf, onServer, policyContext } from '../../test/fixtures/policy-context.ts';
import { Session } from '../session/session.ts';
import type { Dependencies } from './sequential-dependency-policy.ts';
import { SequentialDependencyPolicy } from './sequential-dependency-policy.ts';
import type { PolicyScope } from './tool-policy.ts';

const ALLOWED = { kind: 'allow' };
const DENIED = { kind: 'deny', reason: "Tool 'git_commit' requires: git_diff" };

test('[S0.sequential-policy] git_commit is denied, naming git_diff, until git_diff has succeeded in this session', () => {
  const policy = new SequentialDependencyPolicy({ git_commit: ['git_diff'] });
  const context = policyContext({ scope: onServer('git') });
  const commit = callOf('git/git_commit');
  const before = policy.check(commit, context);
  policy.onResult(callOf('git/git_diff'), FAILURE, context);
  const afterFailure = policy.check(commit, context);
  policy.onResult(callOf('git/git_diff'), SUCCESS, context);
  const otherSession = policyContext({ scope: onServer('git') });
  expect([before, afterFailure, policy.check(commit, context), policy.check(commit, otherSession)]).toEqual([
    DENIED,
    DENIED,
    ALLOWED,
    DENIED,
  ]);
});

test('[S0.with-policies] on a server it may wait for the tools of another one, and its own names are its own', () => {
  const policy = new SequentialDependencyPolicy({ deploy: ['build', 'ci/test'] });
  const context = policyContext({ scope: onServer('ops') });
  const deploy = callOf('ops/deploy');
  const answers = ['other/build', 'ci/test', 'ops/build'].map((address) => {
    policy.onResult(callOf(address), SUCCESS, context);
    return policy.check(deploy, context);
  });
  expect([...answers, policy.check(callOf('other/deploy'), context)]).toEqual([
    { kind: 'deny', reason: "Tool 'deploy' requires: build, ci/test" },
    { kind: 'deny', reason: "Tool 'deploy' requires: build" },
    ALLOWED,
    ALLOWED,
  ]);
});

test('what is missing is sorted, whatever the order and the form of the declaration', () => {
  const forms: readonly Dependencies[] = [
    { deploy: ['test', 'build'] },
    { deploy: new Set(['test', 'build']) },
    new Map([['deploy', ['test', 'build']]]),
  ];
  const reason = "Tool 'deploy' requires: build, test";
  for (const form of forms) {
    expect(new SequentialDependencyPolicy(form).check(callOf('deploy'), policyContext())).toEqual({
      kind: 'deny',
      reason,
    });
  }
  expect(new SequentialDependencyPolicy({ deploy: 'build' }).check(callOf('deploy'), policyContext())).toMatchObject({
    reason: "Tool 'deploy' requires: build",
  });
});

test('a pattern governs every tool it matches, and is satisfied by any', () => {
  const policy = new SequentialDependencyPolicy({ 'git/push*': ['*/test(scope=all)'] });
  const context = policyContext();
  policy.onResult(callOf('ci/test', { scope: 'unit' }), SUCCESS, context);
  const before = policy.check(callOf('git/push_tags'), context);
  policy.onResult(callOf('ci/test', { scope: 'all' }), SUCCESS, context);
  expect([before, policy.check(callOf('git/push_tags'), context)]).toEqual([
    { kind: 'deny', reason: "Tool 'push_tags' requires: */test(scope=all)" },
    ALLOWED,
  ]);
});

describe('what has succeeded', () => {
  test('is forgotten with the call’s transaction', () => {
    const policy = new SequentialDependencyPolicy({ git_commit: ['git_diff'] });
    const session = new Session();
    const check = () => policy.check(callOf('git_commit'), policyContext({ session }));
    const answers = (['rollback', 'commit'] as const).map((end) => {
      const transaction = session.begin();
      policy.onResult(callOf('git_diff'), SUCCESS, policyContext({ session: transaction }));
      transaction[end]();
      return check();
    });
    expect(answers).toEqual([DENIED, ALLOWED]);
  });

  test('belongs to one policy, even if another is just like it', () => {
    const [one, other] = [1, 2].map(() => new SequentialDependencyPolicy({ git_commit: ['git_diff'] }));
    const context = policyContext();
    one?.onResult(callOf('git_diff'), SUCCESS, context);
    expect([one?.check(callOf('git_commit'), context), other?.check(callOf('git_commit'), context)]).toEqual([
      ALLOWED,
      DENIED,
    ]);
  });

  test('belongs to the place where the policy stands', () => {
    const policy = new SequentialDependencyPolicy({ git_commit: ['git_diff'] });
    const session = new Session();
    const at = (scope: PolicyScope) => policyContext({ session, scope });
    policy.onResult(callOf('a/git_diff'), SUCCESS, at(onServer('a')));
    policy.onResult(callOf('a/git_diff'), SUCCESS, at(onServer('b')));
    expect(['a', 'b'].map((server) => policy.check(callOf(`${server}/git_commit`), at(onServer(server))))).toEqual([
      ALLOWED,
      DENIED,
    ]);
  });
});

describe('a declaration that cannot be met is refused', () => {
  test.each<[Dependencies, string]>([
    [{}, 'no tool is named'],
    [{ a: [] }, "nothing is required for 'a'"],
    [{ a: ['a'] }, 'these wait for each other for ever: a → a'],
    [{ x: ['a'], a: ['b'], b: ['c'], c: ['a'] }, 'these wait for each other for ever: a → b → c → a'],
    [{ 'git/*': ['git/status'] }, 'these wait for each other for ever: git/* → git/*'],
    [{ a: ['b('] }, 'column 3'],
  ])('%j', (dependencies, message) => {
    expect(() => new SequentialDependencyPolicy(dependencies)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
    );
  });

  test.each<Dependencies>([
    { a: ['b', 'c'], b: ['d'], c: ['d'] },
    { 'git/commit': ['commit'], commit: ['test'] },
    { 'git/push(force=true)': ['git/push'] },
    { 'git/*': ['git*'] },
  ])('but not %j', (dependencies) => {
    const policy = new SequentialDependencyPolicy(dependencies, { name: 'order' });
    expect([policy.name, Object.isFrozen(policy)]).toEqual(['order', true]);
  });
});
