import type { Rule } from './evaluation.ts';
import type { KeywordCompiler, KeywordEntry, KeywordSite } from './keyword-site.ts';
import { nearestBranch } from './nearest-branch.ts';

const compileAllOf: KeywordCompiler = (value, site) => {
  const rules = ruleList(value, site);
  if (rules === undefined) return undefined;
  return (instance, run, judged) => {
    let isValid = true;
    for (const rule of rules) {
      isValid = rule(instance, run, judged) && isValid;
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
};

const compileAnyOf: KeywordCompiler = (value, site) => {
  const rules = ruleList(value, site);
  if (rules === undefined) return undefined;
  return (instance, run, judged) => {
    const tries = [];
    for (const rule of rules) {
      const attempt = run.aside(() => rule(instance, run, judged));
      // Only whoever asks what was looked at needs the other branches as well.
      if (attempt.isValid && judged === undefined) return true;
      tries.push(attempt);
    }
    if (tries.some(({ isValid }) => isValid)) return true;
    if (run.explains) run.add(nearestBranch('anyOf', run.path, tries));
    return false;
  };
};

const compileOneOf: KeywordCompiler = (value, site) => {
  const rules = ruleList(value, site);
  if (rules === undefined) return undefined;
  return (instance, run, judged) => {
    const tries = rules.map((rule) => run.aside(() => rule(instance, run, judged)));
    const fitting = tries.flatMap(({ isValid }, index) => (isValid ? [index + 1] : []));
    if (fitting.length === 1) return true;
    if (fitting.length > 1) {
      const places = fitting.slice(0, 5).join(', ');
      return run.fail('oneOf', () => `fits ${fitting.length} of the allowed forms (${places}), must fit exactly one`);
    }
    if (run.explains) run.add(nearestBranch('oneOf', run.path, tries));
    return false;
  };
};

const compileNot: KeywordCompiler = (value, site) => {
  const rule = site.rule(value);
  return (instance, run) =>
    !run.aside(() => rule(instance, run, undefined)).isValid || run.fail('not', () => 'is what the schema excludes');
};

const compileIf: KeywordCompiler = (value, site) => {
  const condition = site.rule(value);
  const branch = (keyword: 'then' | 'else'): Rule | undefined =>
    Object.hasOwn(site.schema, keyword) ? site.rule(site.schema[keyword], `../${keyword}`) : undefined;
  const whenTrue = branch('then');
  const whenFalse = branch('else');
  return (instance, run, judged) => {
    const { isValid } = run.aside(() => condition(instance, run, judged));
    const rule = isValid ? whenTrue : whenFalse;
    return rule === undefined || rule(instance, run, judged);
  };
};

/** Keywords that put schemas together. */
export const COMBINING_KEYWORDS: readonly KeywordEntry[] = [
  ['allOf', compileAllOf],
  ['anyOf', compileAnyOf],
  ['oneOf', compileOneOf],
  ['not', compileNot],
  ['if', compileIf],
];

function ruleList(value: unknown, site: KeywordSite): readonly Rule[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return site.ignore('is not a list of schemas');
  return value.map((schema, index) => site.rule(schema, index));
}
