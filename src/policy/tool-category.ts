import type { ToolAnnotations } from '../call/tool-ref.ts';

/** What a tool's hints make of it. */
export type ToolCategory =
  /** Says that it changes nothing. */
  | 'readOnly'
  /** Says that it destroys nothing and stays in its own world. */
  | 'contained'
  /** Says that it destroys nothing, and acts on the world outside. */
  | 'openWorld'
  /** Does not say that it destroys nothing; the protocol takes it for destructive. */
  | 'maybeDestructive'
  /** Says that it destroys. */
  | 'destructive'
  /** Gives none of the four hints. */
  | 'unannotated';

/** Puts a tool where its hints put it; a hint that is absent has the protocol's default, unless all of them are. */
export function toolCategory(hints: ToolAnnotations = {}): ToolCategory {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints;
  if ([readOnlyHint, destructiveHint, idempotentHint, openWorldHint].every((hint) => hint === undefined)) {
    return 'unannotated';
  }
  if (readOnlyHint === true) return 'readOnly';
  if (destructiveHint === true) return 'destructive';
  if (destructiveHint !== false) return 'maybeDestructive';
  return openWorldHint === false ? 'contained' : 'openWorld';
}
