import { expect, test } from 'vitest';
import { PermissionsPolicy } from '../policy/permissions-policy.ts';
import { SequentialDependencyPolicy } from '../policy/sequential-dependency-policy.ts';
import { definitionHash } from './definition-hash.ts';
import { McpServer } from './server.ts';
import { haveSamePolicies, policyNames, resolvePolicies } from './server-policies.ts';

const order = new SequentialDependencyPolicy({ git_commit: ['git_diff'] }, { name: 'order' });
const careful = new PermissionsPolicy({ name: 'careful' });
const SERVER = McpServer.stdio('git', 'node');

test('[S0.with-policies] a server takes policies as objects and by their names in the config', () => {
  const server = SERVER.withPolicies(order).withPolicies('careful');
  expect([server.policies, policyNames(server)]).toEqual([
    [order, 'careful'],
    ['order', 'careful'],
  ]);
  const resolved = resolvePolicies(server, new Map([['careful', careful]]));
  expect([resolved.length, resolved[0] === order, resolved[1] === careful]).toEqual([2, true, true]);
});

test('a name that nobody declared is refused, with the one that was probably meant', () => {
  const named = new Map([['careful', careful]]);
  expect(() => resolvePolicies(SERVER.withPolicies('carefull'), named)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      serverName: 'git',
      message: "server 'git' names a policy 'carefull' that nobody declared; did you mean 'careful'?",
    }),
  );
  expect(() => resolvePolicies(SERVER.withPolicies('x'), new Map())).toThrow('nobody declared; declared: none');
});

test('policies are no part of what makes a process', () => {
  expect(definitionHash(SERVER.withPolicies(order))).toBe(definitionHash(SERVER));
});

test('two policies of one name are two', () => {
  const same = new PermissionsPolicy({ name: 'careful', destructive: 'deny' });
  const compare = (left: readonly (typeof careful | string)[], right: readonly (typeof careful | string)[]) =>
    haveSamePolicies(SERVER.withPolicies(...left), SERVER.withPolicies(...right));
  expect([
    compare([careful, 'x'], [careful, 'x']),
    compare([careful], [same]),
    compare([careful], []),
    compare([careful], ['careful']),
  ]).toEqual([true, false, false, false]);
});
