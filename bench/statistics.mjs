/** The middle of some numbers. */
export function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The middle and the outermost of some numbers. */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** How each sample compares with the one that the other variant took in the same round: what slowed both does not count. */
export function pairedRatios(samples, baseline) {
  return samples.map((sample, round) => sample / baseline[round]);
}

/** A spread as text, `median (min–max)`. */
export function spreadText(values, digits = 0) {
  const { median: middle, min, max } = spread(values);
  return `${numberText(middle, digits)} (${numberText(min, digits)}–${numberText(max, digits)})`;
}

export function numberText(value, digits = 0) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
