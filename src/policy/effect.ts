import type { Decision } from './decision.ts';

/** What becomes of a call. */
export type Effect = Decision['kind'];

const RANKS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** A denial is stricter than a question, a question than a yes. */
export function stricterOf(left: Effect, right: Effect): Effect {
  return RANKS[left] >= RANKS[right] ? left : right;
}
