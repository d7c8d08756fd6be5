import type { Prompt } from '../prompt.ts';
import type { Sight } from './section-sight.ts';

/** A prompt was rendered and a run begins. */
export interface PromptRendered {
  readonly type: 'prompt-rendered';
  readonly at: number;
  readonly sessionId: string;
  readonly ns: string;
  readonly key: string;
  readonly characters: number;
  /** Those in use. */
  readonly servers: readonly string[];
  readonly closedSections: readonly string[];
}

/** A model has answered a prompt, or failed to. */
export interface PromptExecuted {
  readonly type: 'prompt-executed';
  readonly at: number;
  readonly sessionId: string;
  readonly ns: string;
  readonly key: string;
  readonly turns: number;
  readonly calls: number;
  readonly durationMs: number;
  /** Why there is no answer. */
  readonly error?: string;
}

/** A model has opened sections. */
export interface SectionsOpened {
  readonly type: 'sections-opened';
  readonly at: number;
  readonly sessionId: string;
  readonly sections: readonly string[];
  readonly reason: string;
  /** Servers that were started for it, and those that could not be. */
  readonly servers: readonly string[];
  readonly failed: readonly string[];
}

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
