import { describe, expect, test } from 'vitest';
import { toolRef } from '../../test/fixtures/policy-context.ts';
import type { ToolAnnotations, Trust } from '../call/tool-ref.ts';
import type { Effect } from './effect.ts';
import { PermissionsPolicy } from './permissions-policy.ts';

const HINTS: Readonly<Record<string, ToolAnnotations>> = {
  'read-only': { readOnlyHint: true },
  contained: { destructiveHint: false, openWorldHint: false },
  'open-world': { destructiveHint: false, openWorldHint: true },
  'perhaps destructive': { readOnlyHint: false },
  destructive: { destructiveHint: true },
  unannotated: {},
};

describe('[S3.annotations] a tool is decided on by its hints and the trust in its server', () => {
  test.each<[string, Trust, Effect]>([
    ['read-only', 'trusted', 'allow'],
    ['contained', 'trusted', 'allow'],
    ['open-world', 'trusted', 'ask'],
    ['perhaps destructive', 'trusted', 'ask'],
    ['destructive', 'trusted', 'ask'],
    ['unannotated', 'trusted', 'ask'],
    ['read-only', 'untrusted', 'ask'],
    ['contained', 'untrusted', 'ask'],
    ['open-world', 'untrusted', 'ask'],
    ['perhaps destructive', 'untrusted', 'ask'],
    ['destructive', 'untrusted', 'deny'],
    ['unannotated', 'untrusted', 'ask'],
  ])('%s, %s: %s', (category, trust, effect) => {
    const tool = toolRef('git/commit', { annotations: HINTS[category] ?? {}, trust });
    expect(new PermissionsPolicy().admit(tool).kind).toBe(effect);
  });
});

test('a setting decides for both trusts, but never for more than an untrusted tool without hints gets', () => {
  const policy = new PermissionsPolicy({ readOnly: 'allow', destructive: 'allow', contained: 'deny' });
  const effects = ['read-only', 'destructive', 'contained'].map((category) =>
    (['trusted', 'untrusted'] as const).map(
      (trust) => policy.admit(toolRef('a/b', { annotations: HINTS[category] ?? {}, trust })).kind,
    ),
  );
  expect(effects).toEqual([
    ['allow', 'ask'],
    ['allow', 'ask'],
    ['deny', 'deny'],
  ]);
});

test('a native tool is trusted', () => {
  const tool = toolRef('read', { annotations: { readOnlyHint: true }, trust: 'untrusted' });
  expect(new PermissionsPolicy().admit(tool)).toEqual({ kind: 'allow' });
});

describe('the reason tells the hint, whose word it is, and what to do', () => {
  const reason = (policy: PermissionsPolicy, address: string, fields: Parameters<typeof toolRef>[1]) =>
    policy.admit(toolRef(address, fields));

  test('of a denial', () => {
    expect(
      reason(new PermissionsPolicy({ name: 'careful' }), 'git/reset', { annotations: { destructiveHint: true } }),
    ).toEqual({
      kind: 'deny',
      reason:
        "Tool 'reset' of server 'git' may destroy something (destructiveHint is true), by the word of a server that is not trusted. " +
        "To use it, trust the server or set 'destructive' in the policy 'careful'.",
    });
  });

  test('of a denial by a setting', () => {
    const policy = new PermissionsPolicy({ destructive: 'deny' });
    expect(reason(policy, 'git/reset', { annotations: { idempotentHint: true }, trust: 'trusted' })).toEqual({
      kind: 'deny',
      reason:
        "Tool 'reset' of server 'git' may destroy something (destructiveHint is absent, which means true), by the word of a trusted server. " +
        "To use it, set 'destructive' in the policy 'permissions'.",
    });
  });

  test('of a question', () => {
    const policy = new PermissionsPolicy();
    expect([
      reason(policy, 'web/fetch', { annotations: { destructiveHint: false }, trust: 'trusted' }),
      reason(policy, 'web/fetch', {}),
      reason(policy, 'shell', {}),
    ]).toEqual([
      {
        kind: 'ask',
        reason:
          "Tool 'fetch' of server 'web' may act on the world outside (openWorldHint is absent, which means true), by the word of a trusted server. " +
          'Approve the call if it is meant.',
      },
      {
        kind: 'ask',
        reason:
          "Tool 'fetch' of server 'web' does not say what it does (it has no hints), and its server is not trusted. Approve the call if it is meant.",
      },
      {
        kind: 'ask',
        reason: "Tool 'shell' does not say what it does (it has no hints). Approve the call if it is meant.",
      },
    ]);
  });
});
