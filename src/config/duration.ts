/** What a bare number means: seconds in our own files, milliseconds in `.mcp.json`. */
export type DurationUnit = 's' | 'ms';

/** What `parseDuration` accepts, in words for error messages. */
export const DURATION_EXPECTED = 'a positive duration such as 30, "30s", "500ms" or "2m"';

export const DURATION_PATTERN: RegExp = /^\d+(?:\.\d+)?(?:ms|s|m|h)$/;

const MS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds of a duration as written in a file, or undefined when it is none. */
export function parseDuration(value: unknown, options: { readonly numberUnit: DurationUnit }): number | undefined {
  if (typeof value === 'number') return positive(value * (MS_PER_UNIT.get(options.numberUnit) ?? 1));
  if (typeof value !== 'string' || !DURATION_PATTERN.test(value)) return undefined;
  const unit = value.replace(/^[\d.]+/, '');
  return positive(Number.parseFloat(value) * (MS_PER_UNIT.get(unit) ?? Number.NaN));
}

function positive(milliseconds: number): number | undefined {
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined;
}
