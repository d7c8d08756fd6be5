/** Turns texts into vectors whose direction is their meaning; any model fits behind it. */
export interface Embedder {
  /** One vector per text, in their order and all of one length. */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]>;
}

/** How alike two meanings are: 1 the same, 0 unrelated; 0 also for vectors that cannot be compared. */
export function likeness(left: Float32Array, right: Float32Array): number {
  if (left.length !== right.length) return 0;
  let product = 0;
  let leftSquare = 0;
  let rightSquare = 0;
  for (let index = 0; index < left.length; index += 1) {
    const one = left[index] ?? 0;
    const other = right[index] ?? 0;
    product += one * other;
    leftSquare += one * one;
    rightSquare += other * other;
  }
  const cosine = product / Math.sqrt(leftSquare * rightSquare);
  return Number.isFinite(cosine) ? Math.max(0, cosine) : 0;
}
