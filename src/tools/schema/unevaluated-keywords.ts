import { isJsonObject } from '../../call/json-object.ts';
import { presentKeys } from './json-value.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';
import { unknownProperty } from './object-keywords.ts';

const compileUnevaluatedProperties: KeywordCompiler = (value, site) => {
  const { properties } = site.schema;
  const rule = value === false ? unknownProperty(isJsonObject(properties) ? Object.keys(properties) : []) : site.rule(value);
  return (object, run, judged) => {
    if (!isJsonObject(object)) return true;
    let isValid = true;
    const names = presentKeys(object);
    run.glance(names.length);
    for (const name of names) {
      if (judged?.has(name)) continue;
      isValid = run.inside(name, object[name], rule) && isValid;
      judged?.addKey(name);
    }
    return isValid;
  };
};

const compileUnevaluatedItems: KeywordCompiler = (value, site) => {
  const rule = site.rule(value);
  return (items, run, judged) => {
    if (!Array.isArray(items)) return true;
    run.glance(items.length);
    let isValid = true;
    for (const [index, item] of items.entries()) {
      if (judged?.has(index)) continue;
      isValid = run.inside(index, item, rule) && isValid;
      judged?.addPosition(index);
    }
    return isValid;
  };
};

/** Keywords about what all others left over; they come last. */
export const UNEVALUATED_KEYWORDS: readonly KeywordEntry[] = [
  ['unevaluatedItems', compileUnevaluatedItems],
  ['unevaluatedProperties', compileUnevaluatedProperties],
];
