import type { Trust } from '../call/tool-ref.ts';
import { stricterOf } from './effect.ts';
import type { Effect } from './effect.ts';
import type { ToolCategory } from './tool-category.ts';

/** What becomes of the tools of each category, by whether their server is trusted. */
export type PermissionTable = Readonly<Record<ToolCategory, Readonly<Record<Trust, Effect>>>>;

/** Other effects than the table's; each stands for both trusts. */
export interface PermissionSettings {
  readonly readOnly?: Effect;
  readonly contained?: Effect;
  readonly openWorld?: Effect;
  /** For tools that say it, and for those that leave it open. */
  readonly destructive?: Effect;
  /** For tools without any hint; what an untrusted server says of its tools never gives them more than this. */
  readonly unannotated?: Effect;
}

/** What is decided unless a policy says otherwise. */
export const PERMISSION_TABLE: PermissionTable = Object.freeze({
  readOnly: { trusted: 'allow', untrusted: 'ask' },
  contained: { trusted: 'allow', untrusted: 'ask' },
  openWorld: { trusted: 'ask', untrusted: 'ask' },
  maybeDestructive: { trusted: 'ask', untrusted: 'ask' },
  destructive: { trusted: 'ask', untrusted: 'deny' },
  unannotated: { trusted: 'ask', untrusted: 'ask' },
});

/** The table with some effects replaced; hints of an untrusted server still widen nothing. */
export function permissionTable(settings: PermissionSettings = {}): PermissionTable {
  const unannotated = settings.unannotated ?? PERMISSION_TABLE.unannotated.untrusted;
  const row = (category: ToolCategory): PermissionTable[ToolCategory] => {
    const cells = PERMISSION_TABLE[category];
    const set = settings[category === 'maybeDestructive' ? 'destructive' : category];
    // Where no denial stands, an untrusted cell is only as strict as the row for tools without hints makes it.
    const own = cells.untrusted === 'deny' ? 'deny' : cells.trusted;
    return { trusted: set ?? cells.trusted, untrusted: stricterOf(set ?? own, unannotated) };
  };
  return {
    readOnly: row('readOnly'),
    contained: row('contained'),
    openWorld: row('openWorld'),
    maybeDestructive: row('maybeDestructive'),
    destructive: row('destructive'),
    unannotated: row('unannotated'),
  };
}
