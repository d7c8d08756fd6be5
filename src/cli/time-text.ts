const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something has taken so far: `0.4 s`, `12 s`, `3 m 05 s`, `2 h 10 m`, `4 d 3 h`. */
export function formatElapsed(ms: number): string {
  if (ms < 10 * SECOND_MS) return `${(Math.max(0, ms) / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m ${twoDigits((ms % MINUTE_MS) / SECOND_MS)} s`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ${twoDigits((ms % HOUR_MS) / MINUTE_MS)} m`;
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
}

/** How long something has lasted, in the one unit that matters: `4s`, `3m`, `2h`, `5d`. */
export function formatAge(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(Math.max(0, ms) / SECOND_MS)}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h`;
  return `${Math.floor(ms / DAY_MS)}d`;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
