const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** How long to wait before an attempt: nothing before the first, then exponential with full jitter, or as the server asks. */
export function delayBeforeAttempt(attempt: number, random: number, askedMs = 0): number {
  if (attempt <= 1) return 0;
  return Math.max(askedMs, Math.floor(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 2))));
}

/** Whether to wait for as long as a server asks; to come back earlier would only make it worse. */
export function isWorthWaiting(askedMs: number): boolean {
  return askedMs <= MAX_DELAY_MS;
}
