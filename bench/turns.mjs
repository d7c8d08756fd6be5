import { numberText, pairedRatios } from './statistics.mjs';

/** Calls per second, turn by turn. */
export function speedsOf(turns) {
  return turns.map(({ calls, elapsedMs }) => (calls / elapsedMs) * 1000);
}

/** How many calls a client makes in the time in which the other makes one, round by round. */
export function speedRatios(turns, baseline) {
  return pairedRatios(speedsOf(turns), speedsOf(baseline));
}

/** The processor time of a client for a call, measured by that of the other, round by round. */
export function cpuRatios(turns, baseline) {
  return pairedRatios(turns.map(cpuPerCall), baseline.map(cpuPerCall));
}

/** The processor time of the client for one call, in microseconds. */
export function cpuText(turns) {
  return meanPerCall(turns, 'cpuUs');
}

/** The processor time of the server for one call, in microseconds. */
export function serverCpuText(turns) {
  return meanPerCall(turns, 'serverCpuUs');
}

function cpuPerCall({ calls, cpuUs }) {
  return cpuUs / calls;
}

function meanPerCall(turns, key) {
  if (turns.some((turn) => turn[key] === undefined)) return 'unknown';
  // The kernel's ticks are too coarse for one turn.
  const total = turns.reduce((sum, turn) => sum + turn[key], 0);
  const calls = turns.reduce((sum, turn) => sum + turn.calls, 0);
  return numberText(total / calls);
}
