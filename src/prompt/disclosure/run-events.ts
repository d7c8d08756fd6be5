import type { PromptRendered, SectionsOpened } from '../../call/run-events.ts';
import type { Prompt } from '../prompt.ts';
import type { Sight } from './section-sight.ts';

/** As far as events tell of a run. */
interface ToldRun {
  readonly session: { readonly id: string };
  readonly prompt: Pick<Prompt, 'ns' | 'key'>;
  readonly text: string;
}

export function promptRendered({ session, prompt, text }: ToldRun, sight: Sight, at: number): PromptRendered {
  return {
    type: 'prompt-rendered',
    at,
    sessionId: session.id,
    ns: prompt.ns,
    key: prompt.key,
    characters: text.length,
    servers: sight.servers.map(({ name }) => name),
    closedSections: [...sight.closed.keys()],
  };
}

export function sectionsOpened(
  { session }: Pick<ToldRun, 'session'>,
  opened: Pick<SectionsOpened, 'sections' | 'reason' | 'servers' | 'failed'>,
  at: number,
): SectionsOpened {
  return { type: 'sections-opened', at, sessionId: session.id, ...opened };
}
