/** How many events fit into any stretch of time of this length. */
export interface WindowLimit {
  readonly calls: number;
  readonly windowMs: number;
}

/** Either there is room, and these are the times to remember, or it must be waited. */
export type WindowAnswer =
  | { readonly isFree: true; readonly times: readonly number[] }
  | { readonly isFree: false; readonly waitMs: number };

/** Whether one more event fits at `now`, given when the earlier ones were, oldest first. */
export function slideWindow(times: readonly number[], now: number, limit: WindowLimit): WindowAnswer {
  const { calls, windowMs } = limit;
  // A clock that was set back must not lock anyone out for longer than the window.
  const recent = times.map((time) => Math.min(time, now)).filter((time) => now - time < windowMs);
  const first = recent.at(-calls);
  if (recent.length < calls || first === undefined) return { isFree: true, times: [...recent, now] };
  return { isFree: false, waitMs: first + windowMs - now };
}
