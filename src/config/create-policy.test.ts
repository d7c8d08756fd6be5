import { describe, expect, test } from 'vitest';
import { SUCCESS, TEMPLATE, callOf, policyContext, toolRef } from '../../test/fixtures/policy-context.ts';
import { decide } from '../policy/decide.ts';
import { ResultCachePolicy } from '../policy/result-cache-policy.ts';
import { Session } from '../session/session.ts';
import { createPolicy } from './create-policy.ts';
import type { PolicyEntry } from './policy-entry.ts';

describe('an entry becomes the policy it describes, under its name', () => {
  const denialOf = async (entry: PolicyEntry, repeated = 1) => {
    const policy = createPolicy('house', entry);
    const session = new Session();
    const call = callOf(toolRef('git/push', { annotations: { destructiveHint: true } }), { path: 'x' });
    const question = () => decide([{ policy, scope: TEMPLATE }], call, policyContext({ session }));
    for (let time = 1; time < repeated; time += 1) await question();
    return question();
  };

  test.each<[PolicyEntry, string, number?]>([
    [{ kind: 'permissions', destructive: 'deny' }, "in the policy 'house'"],
    [{ kind: 'sequence', dependencies: { 'git/push': ['git/pull'] } }, "Tool 'git/push' requires: git/pull"],
    [{ kind: 'read-before-write', write: ['git/*'] }, "File 'x' must be read before overwriting."],
    [{ kind: 'patterns', otherwise: 'deny' }, "no pattern of the policy 'house' matches 'git/push'"],
    [{ kind: 'rate-limit', calls: 1, window: 90 }, '1 call in 90 s; try again in 90 s', 2],
    [{ kind: 'rate-limit', calls: 1, window: '2m', per: 'tool', shared: true }, "tool 'git/push': 1 call in 120 s", 2],
  ])('%j', async (entry, reason, repeated) => {
    expect(await denialOf(entry, repeated)).toEqual({
      kind: 'deny',
      policy: 'house',
      reason: expect.stringContaining(reason),
    });
  });

  test('a cache', () => {
    const policy = createPolicy('house', { kind: 'cache', ttl: 30, maxEntries: 10, maxBytes: 1000 });
    const call = callOf(toolRef('read', { annotations: { readOnlyHint: true } }));
    policy.recall?.(call, policyContext());
    void policy.onResult?.(call, SUCCESS, policyContext());
    const recalled = [29_999, 30_000].map((now) => policy.recall?.(call, policyContext({ now })));
    expect([policy.name, policy instanceof ResultCachePolicy, recalled]).toEqual(['house', true, [SUCCESS, undefined]]);
  });
});

test.each<[PolicyEntry, string]>([
  [
    { kind: 'sequence', dependencies: { a: ['b'], b: ['a'] } },
    "policies.house: policy 'house': these wait for each other for ever: a → b → a",
  ],
  [{ kind: 'patterns', deny: ['a('] }, 'policies.house: tool pattern "a(", column 3: found the end'],
  [{ kind: 'cache', ttl: 'soon' }, 'policies.house: ttl: found "soon", expected a positive duration'],
])('a mistake names the entry: %j', (entry, message) => {
  expect(() => createPolicy('house', entry)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
  );
});
