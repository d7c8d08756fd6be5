import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stricterOf } from './effect.ts';
import type { Effect } from './effect.ts';
import { PERMISSION_TABLE, permissionTable } from './permission-table.ts';
import type { PermissionSettings } from './permission-table.ts';

test('without settings it is the printed table', () => {
  expect(permissionTable()).toEqual(PERMISSION_TABLE);
});

test('a setting replaces the cells of its row', () => {
  const { destructive, maybeDestructive, readOnly } = permissionTable({ destructive: 'deny', readOnly: 'deny' });
  const denied = { trusted: 'deny', untrusted: 'deny' };
  expect([destructive, maybeDestructive, readOnly]).toEqual([denied, denied, denied]);
});

test('what is allowed to tools without hints is allowed to those that say they are harmless', () => {
  expect(permissionTable({ unannotated: 'allow' })).toEqual({
    ...PERMISSION_TABLE,
    readOnly: { trusted: 'allow', untrusted: 'allow' },
    contained: { trusted: 'allow', untrusted: 'allow' },
    unannotated: { trusted: 'allow', untrusted: 'allow' },
  });
});

test('[S3.annotations] whatever is set, no hint of an untrusted server gives it more than having none', () => {
  const effect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
  const settings: fc.Arbitrary<PermissionSettings> = fc.record(
    { readOnly: effect, contained: effect, openWorld: effect, destructive: effect, unannotated: effect },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(settings, (given) => {
      const table = permissionTable(given);
      for (const { untrusted } of Object.values(table)) {
        expect(stricterOf(untrusted, table.unannotated.untrusted)).toBe(untrusted);
      }
    }),
  );
});
