import { describeFound } from './describe-value.ts';
import type { Run } from './evaluation.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';

/** A comparison with a limit, and how it is said. */
interface Comparison {
  readonly words: string;
  holds(value: number, limit: number): boolean;
}

const AT_LEAST: Comparison = { words: 'at least', holds: (value, limit) => value >= limit };
const AT_MOST: Comparison = { words: 'at most', holds: (value, limit) => value <= limit };
const MORE_THAN: Comparison = { words: 'more than', holds: (value, limit) => value > limit };
const LESS_THAN: Comparison = { words: 'less than', holds: (value, limit) => value < limit };

function compare(comparison: Comparison): KeywordCompiler {
  return (limit, site) => {
    if (typeof limit !== 'number') return site.ignore('is not a number');
    const { keyword } = site;
    return (value, run) =>
      typeof value !== 'number' ||
      comparison.holds(value, limit) ||
      run.fail(keyword, () => `expected ${comparison.words} ${limit}, got ${describeFound(value)}`);
  };
}

/** Draft 4 wrote `exclusiveMinimum: true` beside `minimum`; schemas still do, whatever draft they name. */
function compareOrFlag(comparison: Comparison, inclusive: string): KeywordCompiler {
  const compile = compare(comparison);
  return (limit, site) => {
    if (typeof limit !== 'boolean') return compile(limit, site);
    const bound = site.schema[inclusive];
    return limit && typeof bound === 'number' ? compile(bound, site) : undefined;
  };
}

const compileMultipleOf: KeywordCompiler = (divisor, site) => {
  if (typeof divisor !== 'number' || divisor <= 0 || !Number.isFinite(divisor)) {
    return site.ignore('is not a number above 0');
  }
  return (value, run) =>
    typeof value !== 'number' ||
    isMultiple(value, divisor, run) ||
    run.fail('multipleOf', () => `expected a multiple of ${divisor}, got ${describeFound(value)}`);
};

/** Keywords for numbers. */
export const NUMBER_KEYWORDS: readonly KeywordEntry[] = [
  ['minimum', compare(AT_LEAST)],
  ['maximum', compare(AT_MOST)],
  ['exclusiveMinimum', compareOrFlag(MORE_THAN, 'minimum')],
  ['exclusiveMaximum', compareOrFlag(LESS_THAN, 'maximum')],
  ['multipleOf', compileMultipleOf],
];

const STEPS_IN_DECIMAL = 20;

/** In decimal, as JSON writes it: 0.0075 is a multiple of 0.0001, though not in binary. */
function isMultiple(value: number, divisor: number, run: Run): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  run.spend(STEPS_IN_DECIMAL);
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const lowest = Math.min(exponent, divisorExponent);
  return (digits * 10n ** BigInt(exponent - lowest)) % (divisorDigits * 10n ** BigInt(divisorExponent - lowest)) === 0n;
}

function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(`${whole}${fraction}`), Number(exponent) - fraction.length];
}
