import type { Hub } from '../hub/hub.ts';
import type { Logger } from '../logger.ts';
import type { SessionScope } from '../session/session-scope.ts';
import type { ClosedTexts } from './closed-section.ts';
import type { OverridesStore } from './prompt-overrides.ts';
import type { PromptTokens, RenderedContents } from './rendered-prompt.ts';
import type { VisibilityByPath } from './visibility.ts';

/** How a prompt is rendered this time. */
export interface RenderOptions {
  /** What `enabled` and `visibility` look at, and what it has opened and closed. */
  readonly session?: SessionScope | undefined;
  /** Opens and closes sections, above the session and the author. */
  readonly visibility?: VisibilityByPath | undefined;
  /** Refuses two different servers of one name instead of taking the first. */
  readonly strict?: boolean | undefined;
  /** Connects the rendered servers on the hub and fills `mcpTools`. */
  readonly discoverMcpTools?: boolean | undefined;
  readonly hub?: Hub | undefined;
  /** Where texts are looked up that take the place of the template's own. */
  readonly overrides?: OverridesStore | undefined;
  readonly overridesTag?: string | undefined;
  /** When the work on the prompt is given up, in milliseconds since 1970. */
  readonly deadline?: number | undefined;
  /** How closed sections are told to the model. */
  readonly closed?: ClosedTexts | undefined;
  readonly countTokens?: ((contents: RenderedContents) => Promise<PromptTokens>) | undefined;
  readonly logger?: Logger | undefined;
  readonly signal?: AbortSignal | undefined;
}
