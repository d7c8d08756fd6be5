import { count, describeFound, quoted } from './describe-value.ts';
import type { Run } from './evaluation.ts';
import { wholeNumber } from './keyword-site.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';

const compileMinLength: KeywordCompiler = (value, site) => {
  const limit = wholeNumber(value, site);
  if (limit === undefined) return undefined;
  return (text, run) =>
    typeof text !== 'string' ||
    (text.length >= limit && lengthOf(text, run) >= limit) ||
    run.fail('minLength', () => `expected at least ${count(limit, 'character')}, got ${describeFound(text)}`);
};

const compileMaxLength: KeywordCompiler = (value, site) => {
  const limit = wholeNumber(value, site);
  if (limit === undefined) return undefined;
  return (text, run) =>
    typeof text !== 'string' ||
    text.length <= limit ||
    lengthOf(text, run) <= limit ||
    run.fail('maxLength', () => `expected at most ${count(limit, 'character')}, got ${lengthOf(text, run)}`);
};

const compilePattern: KeywordCompiler = (value, site) => {
  if (typeof value !== 'string') return site.ignore('is not a text');
  const pattern = site.pattern(value);
  if (pattern.kind === 'refused') return site.ignore(pattern.reason);
  const { maxLength } = pattern;
  if (maxLength < NOTED_LENGTH) site.note(`is held against texts of up to ${maxLength} characters only`);
  return (text, run) => {
    if (typeof text !== 'string') return true;
    run.spend(pattern.costOf(text));
    if (pattern.matches(text)) return true;
    return run.fail('pattern', () => `expected a string that matches ${quoted(value)}, got ${describeFound(text)}`);
  };
};

const CHARACTERS_AT_A_GLANCE = 8;

// Nearly every pattern can be held against all texts that come.
const NOTED_LENGTH = 1_000_000;

/** Keywords for texts; `format` and `content…` only describe, as 2020-12 has it. */
export const STRING_KEYWORDS: readonly KeywordEntry[] = [
  ['minLength', compileMinLength],
  ['maxLength', compileMaxLength],
  ['pattern', compilePattern],
];

/** Characters, not the halves of them that JavaScript counts. */
function lengthOf(text: string, run: Run): number {
  run.glance(text.length / CHARACTERS_AT_A_GLANCE);
  let length = 0;
  for (let index = 0; index < text.length; length += 1) index += (text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1;
  return length;
}
