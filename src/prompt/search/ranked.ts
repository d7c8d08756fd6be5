/** Something and its score. */
export interface Scored<Item> {
  readonly item: Item;
  readonly score: number;
}

/** The best items with a score above 0, the best first; of equals the one that comes first stays first. */
export function ranked<Item>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
  limit: number,
): readonly Scored<Item>[] {
  let best: Scored<Item>[] = [];
  let least = 0;
  // Most items fall below the last of the best, so that few are ever moved; sorting all would cost more than the scores did.
  for (const item of items) {
    const score = scoreOf(item);
    if (!(score > least)) continue;
    best.push({ item, score });
    if (best.length < 2 * limit) continue;
    best = best.toSorted(byScore).slice(0, limit);
    least = best.at(-1)?.score ?? Infinity;
  }
  return best.toSorted(byScore).slice(0, limit);
}

function byScore(left: Scored<unknown>, right: Scored<unknown>): number {
  return right.score - left.score;
}
