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
