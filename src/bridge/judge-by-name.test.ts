import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOf, onServer, policyContext, TEMPLATE, toolRef } from '../../test/fixtures/policy-context.ts';
import type { Decision } from '../policy/decision.ts';
import { PermissionsPolicy } from '../policy/permissions-policy.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import { judgeByName } from './judge-by-name.ts';
import type { NameRuling } from './judge-by-name.ts';

const ALLOW: Decision = { kind: 'allow' };

test('a policy that needs only the name decides for good', async () => {
  const no = bound({ name: 'no', check: ({ tool }) => deny(`${String(tool.server)}/${tool.tool}`) });
  expect(await judge([no])).toEqual({
    ruling: { kind: 'deny', reason: 'git/commit', policy: 'no' },
    answered: new Set([no]),
  });
});

test('a policy that looks for hints has not answered, whatever it said', async () => {
  const cautious = bound({
    name: 'cautious',
    check: ({ tool }) => (tool.annotations?.readOnlyHint ? ALLOW : deny('no hint')),
  });
  const yes = bound({ name: 'yes', check: () => ALLOW });
  expect(await judge([cautious, bound(new PermissionsPolicy({ unannotated: 'deny' })), yes])).toEqual({
    ruling: { kind: 'allow' },
    answered: new Set([yes]),
  });
});

test('what is refused whatever the arguments comes before every check', async () => {
  const asked: string[] = [];
  const count: ToolPolicy = {
    name: 'count',
    check: () => {
      asked.push('count');
      return ALLOW;
    },
  };
  const never: ToolPolicy = { name: 'never', admit: () => deny('never') };
  expect(await judge([bound(count), bound(never)])).toEqual({
    ruling: { kind: 'deny', reason: 'never', policy: 'never' },
    answered: new Set(),
  });
  expect(asked).toEqual([]);
});

test('a policy of another server is not asked', async () => {
  const other = { policy: { name: 'no', check: () => deny('no') }, scope: onServer('files') };
  expect((await judge([other])).ruling).toEqual({ kind: 'allow' });
});

test('nobody is asked after a denial, and a question is remembered', async () => {
  const ask = bound({ name: 'ask', check: () => Promise.resolve({ kind: 'ask', reason: 'sure?' }) });
  const no = bound({ name: 'no', check: () => deny('no') });
  const late = bound({ name: 'late', check: () => Promise.reject(new Error('asked')) });
  expect((await judge([ask])).ruling).toEqual({ kind: 'ask', reason: 'sure?', policy: 'ask' });
  expect(await judge([ask, no, late])).toEqual({
    ruling: { kind: 'deny', reason: 'no', policy: 'no' },
    answered: new Set([ask, no]),
  });
});

test('a policy that fails refuses', async () => {
  const broken = bound({
    name: 'broken',
    check: () => {
      throw new Error('oops');
    },
  });
  expect((await judge([broken])).ruling).toMatchObject({ kind: 'deny', policy: 'broken' });
});

test('it denies exactly if some policy that needs no hints denies', async () => {
  const kinds = fc.constantFrom('allow', 'ask', 'deny');
  const rules = fc.array(fc.record({ kind: kinds, looks: fc.boolean() }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rules, async (given) => {
      const policies = given.map(({ kind, looks }, index) =>
        bound({
          name: `p${index}`,
          check: ({ tool }) => {
            if (looks) void tool.annotations;
            return kind === 'allow' ? ALLOW : { kind, reason: kind };
          },
        }),
      );
      const expected = given.some(({ kind, looks }) => kind === 'deny' && !looks);
      expect((await judge(policies)).ruling.kind === 'deny').toBe(expected);
    }),
  );
});

function bound(policy: ToolPolicy): BoundPolicy {
  return { policy, scope: TEMPLATE };
}

function judge(policies: readonly BoundPolicy[]): Promise<NameRuling> {
  return judgeByName({ policies, call: callOf(toolRef('git/commit')), context: policyContext() });
}

function deny(reason: string): Decision {
  return { kind: 'deny', reason };
}
