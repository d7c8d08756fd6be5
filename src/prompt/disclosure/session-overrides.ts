import type { SessionScope } from '../../session/session-scope.ts';
import { compareText } from '../search/section-score.ts';
import { VisibilityOverrides } from '../visibility.ts';

/** What a session has opened and closed, as a text to compare. */
export function overridesOf(session: SessionScope): string {
  const all = session.slice(VisibilityOverrides).all();
  return JSON.stringify(all.map(({ path, visibility }) => `${path} ${visibility}`).toSorted(compareText));
}
