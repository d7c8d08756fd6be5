import type { Rule } from './evaluation.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';
import { splitReference } from './schema-resources.ts';

const compileRef: KeywordCompiler = (value, site) => {
  if (typeof value !== 'string') return site.ignore('is not a reference');
  return site.referred(value).rule;
};

const compileDynamicRef: KeywordCompiler = (value, site) => {
  if (typeof value !== 'string') return site.ignore('is not a reference');
  const { located, rule } = site.referred(value);
  const { fragment } = splitReference(value, site.resource.base);
  if (located.resource.dynamicAnchors.get(fragment) !== located.schema) return rule;
  const rules = site.dynamic(fragment);
  return (instance, run, judged) => {
    const outermost = run.scope.find((resource) => rules.has(resource));
    const target: Rule = (outermost && rules.get(outermost)) ?? rule;
    return target(instance, run, judged);
  };
};

/** Keywords that lead to another schema; `$recursiveRef` of 2019-09 only ever leads to the root. */
export const REFERENCE_KEYWORDS: readonly KeywordEntry[] = [
  ['$ref', compileRef],
  ['$dynamicRef', compileDynamicRef],
];

/** What 2020-12 no longer has. */
export const OLD_REFERENCE_KEYWORDS: readonly KeywordEntry[] = [['$recursiveRef', compileRef]];
