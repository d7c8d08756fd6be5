const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** How long to wait before an attempt: nothing before the first, then exponential with full jitter. */
export function delayBeforeAttempt(attempt: number, random: number): number {
  if (attempt <= 1) return 0;
  return Math.floor(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 2)));
}
