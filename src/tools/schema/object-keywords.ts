import { isJsonObject } from '../../call/json-object.ts';
import { closestWord } from '../../config/closest-word.ts';
import { count, describeWanted, quoted } from './describe-value.ts';
import type { Rule } from './evaluation.ts';
import { isPresent, presentKeys } from './json-value.ts';
import { nameList, wholeNumber } from './keyword-site.ts';
import type { KeywordCompiler, KeywordEntry, KeywordSite } from './keyword-site.ts';

const compileProperties: KeywordCompiler = (value, site) => {
  if (!isJsonObject(value)) return site.ignore('is not a map of schemas');
  const rules = Object.entries(value).map(([name, schema]) => [name, site.rule(schema, name)] as const);
  return (object, run, judged) => {
    if (!isJsonObject(object)) return true;
    run.glance(rules.length);
    let isValid = true;
    for (const [name, rule] of rules) {
      if (!isPresent(object, name)) continue;
      judged?.addKey(name);
      isValid = run.inside(name, object[name], rule) && isValid;
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
};

const compilePatternProperties: KeywordCompiler = (value, site) => {
  if (!isJsonObject(value)) return site.ignore('is not a map of schemas');
  const rules = Object.entries(value).flatMap(([source, schema]) => {
    const pattern = site.pattern(source);
    if (pattern.kind === 'usable') return [[pattern, site.rule(schema, source)] as const];
    site.ignore(`has ${quoted(source)}, which ${pattern.reason}`);
    return [];
  });
  return (object, run, judged) => {
    if (!isJsonObject(object)) return true;
    let isValid = true;
    for (const name of presentKeys(object)) {
      for (const [pattern, rule] of rules) {
        run.spend(1 + pattern.costOf(name));
        if (!pattern.matches(name)) continue;
        judged?.addKey(name);
        isValid = run.inside(name, object[name], rule) && isValid;
      }
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
};

const compileAdditionalProperties: KeywordCompiler = (value, site) => {
  const known = isJsonObject(site.schema['properties']) ? Object.keys(site.schema['properties']) : [];
  const isKnown = knownBy(known, site);
  const rule = value === false ? unknownProperty(known) : site.rule(value);
  return (object, run, judged) => {
    if (!isJsonObject(object)) return true;
    let isValid = true;
    const names = presentKeys(object);
    run.glance(names.length);
    for (const name of names) {
      if (isKnown(name)) continue;
      judged?.addKey(name);
      isValid = run.inside(name, object[name], rule) && isValid;
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
};

/** Says of a property that it should not be there, and what it was probably meant to be. */
export function unknownProperty(known: readonly string[]): Rule {
  return (_, run) =>
    run.fail('additionalProperties', () => {
      run.spend(STEPS_TO_COMPARE);
      const meant = closestWord(String(run.path.at(-1)), known.slice(0, MAX_COMPARED));
      return meant === undefined ? 'is not a known property' : `is not a known property; did you mean ${quoted(meant)}?`;
    });
}

function knownBy(names: readonly string[], site: KeywordSite): (name: string) => boolean {
  const set = new Set(names);
  const { patternProperties } = site.schema;
  if (!isJsonObject(patternProperties)) return (name) => set.has(name);
  const patterns = Object.keys(patternProperties).map((source) => site.pattern(source));
  // Where a pattern is not enforced, any name could have been its own.
  return (name) => set.has(name) || patterns.some((pattern) => pattern.kind === 'refused' || pattern.matches(name));
}

const compileRequired: KeywordCompiler = (value, site) => {
  const names = nameList(value, site);
  if (names === undefined) return undefined;
  const { properties } = site.schema;
  return (object, run) => {
    if (!isJsonObject(object)) return true;
    run.glance(names.length);
    if (names.every((name) => isPresent(object, name))) return true;
    const missing = run.explains ? names.filter((name) => !isPresent(object, name)) : [];
    for (const name of new Set(missing)) {
      run.failInside(name, 'required', () => {
        run.spend(STEPS_TO_COMPARE);
        return missingText(name, object, properties);
      });
    }
    return false;
  };
};

function missingText(name: string, object: Readonly<Record<string, unknown>>, properties: unknown): string {
  const known = isJsonObject(properties) ? properties : {};
  const wanted = Object.hasOwn(known, name) ? describeWanted(known[name]) : undefined;
  const strange = presentKeys(object).filter((key) => !Object.hasOwn(known, key));
  const sent = closestWord(name, strange.slice(0, MAX_COMPARED));
  const text = wanted === undefined ? 'is missing' : `is missing; expected ${wanted}`;
  return sent === undefined ? text : `${text}; was it sent as ${quoted(sent)}?`;
}

// Enough to find a slip of the pen; each comparison takes as long as many steps.
const MAX_COMPARED = 100;
const STEPS_TO_COMPARE = 10 * MAX_COMPARED;

const compilePropertyNames: KeywordCompiler = (value, site) => {
  const rule = site.rule(value);
  return (object, run) => {
    if (!isJsonObject(object)) return true;
    const names = presentKeys(object);
    run.spend(names.length);
    const wrong = names.filter((name) => !run.aside(() => rule(name, run, undefined)).isValid);
    for (const name of wrong) run.failInside(name, 'propertyNames', () => 'is not an allowed property name');
    return wrong.length === 0;
  };
};

function compileSize(isEnough: (size: number, limit: number) => boolean, words: string): KeywordCompiler {
  return (value, site) => {
    const limit = wholeNumber(value, site);
    if (limit === undefined) return undefined;
    const { keyword } = site;
    return (object, run) => {
      if (!isJsonObject(object)) return true;
      const size = presentKeys(object).length;
      run.glance(size);
      return isEnough(size, limit) || run.fail(keyword, () => `expected ${words} ${count(limit, 'property')}, got ${size}`);
    };
  };
}

const compileDependentRequired: KeywordCompiler = (value, site) => {
  if (!isJsonObject(value)) return site.ignore('is not a map of names');
  const rules = Object.entries(value).flatMap(([name, others]) => {
    const names = nameList(others, site);
    return names === undefined ? [] : [dependentNames(name, names)];
  });
  return (object, run) => {
    run.glance(rules.length);
    return rules.map((rule) => rule(object, run, undefined)).every(Boolean);
  };
};

function dependentNames(name: string, needed: readonly string[]): Rule {
  return (object, run) => {
    if (!isJsonObject(object) || !isPresent(object, name)) return true;
    run.glance(needed.length);
    const missing = needed.filter((other) => !isPresent(object, other));
    for (const other of missing) {
      run.failInside(other, 'dependentRequired', () => `is missing; ${quoted(name)} needs it`);
    }
    return missing.length === 0;
  };
}

const compileDependentSchemas: KeywordCompiler = (value, site) => {
  if (!isJsonObject(value)) return site.ignore('is not a map of schemas');
  return allDependent(Object.entries(value).map(([name, schema]) => [name, site.rule(schema, name)]));
};

/** Draft 7 had names and schemas in one keyword. */
const compileDependencies: KeywordCompiler = (value, site) => {
  if (!isJsonObject(value)) return site.ignore('is not a map');
  return allDependent(Object.entries(value).map(([name, needed]) => [name, dependency(name, needed, site)]));
};

function dependency(name: string, needed: unknown, site: KeywordSite): Rule {
  if (!Array.isArray(needed)) return site.rule(needed, name);
  return dependentNames(name, nameList(needed, site) ?? []);
}

function allDependent(rules: readonly (readonly [string, Rule])[]): Rule {
  return (object, run, judged) => {
    if (!isJsonObject(object)) return true;
    run.glance(rules.length);
    let isValid = true;
    for (const [name, rule] of rules) {
      if (isPresent(object, name)) isValid = rule(object, run, judged) && isValid;
    }
    return isValid;
  };
}

/** Keywords for objects. */
export const OBJECT_KEYWORDS: readonly KeywordEntry[] = [
  ['required', compileRequired],
  ['minProperties', compileSize((size, limit) => size >= limit, 'at least')],
  ['maxProperties', compileSize((size, limit) => size <= limit, 'at most')],
  ['properties', compileProperties],
  ['patternProperties', compilePatternProperties],
  ['additionalProperties', compileAdditionalProperties],
  ['propertyNames', compilePropertyNames],
  ['dependentRequired', compileDependentRequired],
  ['dependentSchemas', compileDependentSchemas],
];

/** What 2020-12 no longer has. */
export const OLD_OBJECT_KEYWORDS: readonly KeywordEntry[] = [['dependencies', compileDependencies]];
