import { median, numberText } from '../statistics.mjs';
import { cpuRatios, speedRatios } from '../turns.mjs';
import { verdict } from '../verdict.mjs';
import { BRIDGES } from './variants.mjs';

const OF_SDK = 0.9;
const OF_PIPE = 0.5;
const CPU_OF_PIPE = 2;

/** What is promised of a call with nothing switched on. */
export function plainVerdict(turns, concurrency) {
  const ratio = median(speedRatios(turns.get('fairlead'), turns.get('sdk-v2')));
  const claim = `at concurrency ${concurrency} Fairlead, plain, makes ${numberText(ratio, 2)} of the calls of the bare SDK v2 (at least ${OF_SDK})`;
  return verdict(claim, ratio >= OF_SDK);
}

/** What is promised of a call with everything switched on. */
export function governedVerdicts(turns, concurrency) {
  const [governed, pipe] = [turns.get('governed'), turns.get('raw-pipe')];
  const subject = `at concurrency ${concurrency} Fairlead, governed,`;
  const nearest = nearestBridge(turns, governed);
  const speed = median(speedRatios(governed, pipe));
  const cpu = median(cpuRatios(governed, pipe));
  return [
    verdict(
      `${subject} makes ${numberText(nearest.ratio, 2)} of the calls of the fastest bridge, ${nearest.label} (more than 1)`,
      nearest.ratio > 1,
    ),
    verdict(
      `${subject} makes ${numberText(speed, 2)} of the calls of the raw pipe (at least ${OF_PIPE})`,
      speed >= OF_PIPE,
    ),
    verdict(
      `${subject} takes ${numberText(cpu, 2)} of the raw pipe's processor time per call (at most ${CPU_OF_PIPE})`,
      cpu <= CPU_OF_PIPE,
    ),
  ];
}

function nearestBridge(turns, governed) {
  return Object.entries(BRIDGES)
    .map(([name, label]) => ({ label, ratio: median(speedRatios(governed, turns.get(name))) }))
    .reduce((nearest, each) => (each.ratio < nearest.ratio ? each : nearest));
}
