import { count } from './describe-value.ts';
import type { Rule } from './evaluation.ts';
import { equalityKey } from './json-value.ts';
import { wholeNumber } from './keyword-site.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';

const compilePrefixItems: KeywordCompiler = (value, site) => {
  if (!Array.isArray(value)) return site.ignore('is not a list of schemas');
  const rules = value.map((schema, index) => site.rule(schema, index));
  return (items, run, judged) => {
    if (!Array.isArray(items)) return true;
    let isValid = true;
    for (const [index, rule] of rules.entries()) {
      if (index >= items.length) break;
      judged?.addPosition(index);
      isValid = run.inside(index, items[index], rule) && isValid;
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
};

/** The rule of every item from a position on. */
function restRule(rule: Rule, start: number): Rule {
  return (items, run, judged) => {
    if (!Array.isArray(items)) return true;
    let isValid = true;
    for (let index = start; index < items.length; index += 1) {
      isValid = run.inside(index, items[index], rule) && isValid;
      if (!isValid && !run.explains) return false;
    }
    judged?.addAll();
    return isValid;
  };
}

const compileItems: KeywordCompiler = (value, site) => {
  // The older drafts list the first items here; nobody means anything else by a list.
  if (Array.isArray(value)) return compilePrefixItems(value, site);
  const first = site.schema['prefixItems'];
  return restRule(site.rule(value), Array.isArray(first) ? first.length : 0);
};

const compileAdditionalItems: KeywordCompiler = (value, site) => {
  const first = site.schema['items'];
  return Array.isArray(first) ? restRule(site.rule(value), first.length) : undefined;
};

const compileContains: KeywordCompiler = (value, site) => {
  const rule = site.rule(value);
  const { minContains, maxContains } = site.schema;
  const least = typeof minContains === 'number' && site.dialect !== 'draft-07' ? minContains : 1;
  const most = typeof maxContains === 'number' && site.dialect !== 'draft-07' ? maxContains : Infinity;
  return (items, run, judged) => {
    if (!Array.isArray(items)) return true;
    let found = 0;
    for (const [index, item] of items.entries()) {
      run.spend(1);
      if (!run.aside(() => rule(item, run, undefined)).isValid) continue;
      found += 1;
      judged?.addPosition(index);
    }
    if (found < least) return run.fail('contains', () => `expected ${count(least, 'fitting item')}, got ${found}`);
    return found <= most || run.fail('contains', () => `expected at most ${count(most, 'fitting item')}, got ${found}`);
  };
};

const compileMinItems: KeywordCompiler = (value, site) => {
  const limit = wholeNumber(value, site);
  if (limit === undefined) return undefined;
  return (items, run) =>
    !Array.isArray(items) ||
    items.length >= limit ||
    run.fail('minItems', () => `expected at least ${count(limit, 'item')}, got ${items.length}`);
};

const compileMaxItems: KeywordCompiler = (value, site) => {
  const limit = wholeNumber(value, site);
  if (limit === undefined) return undefined;
  return (items, run) =>
    !Array.isArray(items) ||
    items.length <= limit ||
    run.fail('maxItems', () => `expected at most ${count(limit, 'item')}, got ${items.length}`);
};

// To write an item down takes longer than to look at it.
const CHARACTERS_AT_A_GLANCE = 2;

const compileUniqueItems: KeywordCompiler = (value, site) => {
  if (typeof value !== 'boolean') return site.ignore('is neither true nor false');
  if (!value) return undefined;
  return (items, run) => {
    if (!Array.isArray(items)) return true;
    const seen = new Set<unknown>();
    for (const [index, item] of items.entries()) {
      const key = equalityKey(item);
      run.glance(typeof key === 'string' ? 1 + key.length / CHARACTERS_AT_A_GLANCE : 1);
      if (seen.has(key)) return run.failInside(index, 'uniqueItems', () => 'is in the array already');
      seen.add(key);
    }
    return true;
  };
};

/** Keywords for lists. */
export const ARRAY_KEYWORDS: readonly KeywordEntry[] = [
  ['minItems', compileMinItems],
  ['maxItems', compileMaxItems],
  ['uniqueItems', compileUniqueItems],
  ['prefixItems', compilePrefixItems],
  ['items', compileItems],
  ['contains', compileContains],
];

/** What 2020-12 no longer has. */
export const OLD_ARRAY_KEYWORDS: readonly KeywordEntry[] = [['additionalItems', compileAdditionalItems]];
