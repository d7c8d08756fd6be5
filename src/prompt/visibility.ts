import type { SessionScope } from '../session/session-scope.ts';
import { defineSlice } from '../session/slice.ts';
import type { Slice } from '../session/slice.ts';

/** Whether a section shows its text and tools, or its summary alone. */
export type SectionVisibility = 'full' | 'summary';

/** That one section is open or closed in a session, whatever its author chose. */
export interface VisibilityOverride {
  /** The section's whole path. */
  readonly path: string;
  readonly visibility: SectionVisibility;
}

/** Visibilities by the whole paths of sections. */
export type VisibilityByPath = Readonly<Record<string, SectionVisibility>> | ReadonlyMap<string, SectionVisibility>;

/** What a session has opened and closed; rolled back with a call that fails. */
export const VisibilityOverrides: Slice<VisibilityOverride> = defineSlice<VisibilityOverride>({
  name: 'section-visibility',
});

/** Opens or closes a section in a session, from its next rendering on. */
export function setVisibility(session: SessionScope, path: string, visibility: SectionVisibility): void {
  session.slice(VisibilityOverrides).upsert({ path, visibility }, (other) => other.path === path);
}

/** What stands above an author's choice, by path: an explicit wish first, then the session's state. */
export function overridesByPath(
  explicit: VisibilityByPath | undefined,
  session: SessionScope | undefined,
): ReadonlyMap<string, SectionVisibility> {
  const ofSession = session?.slice(VisibilityOverrides).all() ?? [];
  const found = new Map(ofSession.map(({ path, visibility }) => [path, visibility]));
  for (const [path, visibility] of explicit ? entriesOf(explicit) : []) found.set(path, visibility);
  return found;
}

/** The paths and visibilities of either form. */
export function entriesOf(visibilities: VisibilityByPath): Iterable<[string, SectionVisibility]> {
  return visibilities instanceof Map ? visibilities : Object.entries(visibilities);
}
