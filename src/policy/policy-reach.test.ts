import { expect, test } from 'vitest';
import { TEMPLATE, onServer, toolRef } from '../../test/fixtures/policy-context.ts';
import { coversTool, scopeKey } from './policy-reach.ts';
import type { PolicyScope } from './tool-policy.ts';

const section: PolicyScope = { kind: 'section', section: 'git', covers: ({ server }) => server === 'git' };
const native: PolicyScope = { kind: 'tool', name: 'read' };
const SCOPES = [onServer('git'), section, native, TEMPLATE];

test('a policy decides on the tools of the place where it stands', () => {
  const covered = (address: string) => SCOPES.map((scope) => coversTool(scope, toolRef(address)));
  expect([covered('git/commit'), covered('files/read'), covered('read')]).toEqual([
    [true, true, false, true],
    [false, false, false, true],
    [false, false, true, true],
  ]);
});

test("a native tool's policy decides on no server's tool, even if that has the same name", () => {
  expect(coversTool(native, toolRef('files/read', { name: 'read' }))).toBe(false);
});

test('places are told apart', () => {
  expect(SCOPES.map(scopeKey)).toEqual(['server git', 'section git', 'tool read', 'template']);
});
