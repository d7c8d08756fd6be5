import type { CallerOptions } from '../../bridge/caller.ts';
import type { Disclosure } from '../../config/section-entry.ts';
import type { ViewOptions } from '../../hub/view-options.ts';
import type { Session } from '../../session/session.ts';
import type { NamingStyle } from '../../tools/tool-name.ts';
import type { RenderOptions } from '../render-options.ts';
import type { Embedder } from '../search/embedder.ts';
import type { ViewSource } from './catalog-book.ts';
import type { ClosedListLimits } from './closed-list.ts';

/** How a prompt is given to an agent. */
export interface AgentRunOptions extends Omit<
  CallerOptions,
  'hub' | 'session' | 'tools' | 'sectionPolicies' | 'prompt' | 'resources'
> {
  readonly hub: ViewSource;
  readonly session?: Session;
  /** As authors chose unless said; `sections` closes whatever has tools and no author's choice, `auto` only if it is much. */
  readonly disclosure?: Disclosure;
  /** How many tokens the model can take in; what is small beside that need not be hidden. */
  readonly contextWindow?: number;
  /** `append` adds opened tools to this run; `restart` leaves an `expansion` for whoever begins the next one. */
  readonly expansion?: 'append' | 'restart';
  /** Up to so many tokens, opening a section brings whole definitions, else a line for each tool; 2,000 unless said. */
  readonly definitionTokens?: number;
  readonly closedList?: ClosedListLimits;
  /** Lets `search_tools` rank by meaning beside words. */
  readonly embedder?: Embedder;
  readonly naming?: NamingStyle;
  readonly render?: Omit<RenderOptions, 'session' | 'closed' | 'hub' | 'discoverMcpTools' | 'countTokens'>;
  readonly signal?: AbortSignal;
}

/** Whose view on the hub a run has, and how tools are called in it. */
export function viewOptions({ naming }: AgentRunOptions, { principal }: Session): Omit<ViewOptions, 'servers'> {
  return { principal, ...(naming !== undefined && { naming }) };
}
