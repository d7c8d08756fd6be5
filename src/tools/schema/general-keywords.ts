import { describeChoices, describeFound, describeTypes } from './describe-value.ts';
import { equalityKey, jsonKind } from './json-value.ts';
import type { KeywordCompiler, KeywordEntry } from './keyword-site.ts';

const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

const compileType: KeywordCompiler = (value, site) => {
  const types: unknown[] = Array.isArray(value) ? value : [value];
  if (!types.every((type) => typeof type === 'string' && TYPES.has(type))) return site.ignore('names no known type');
  const names = types as string[];
  const takesInteger = names.includes('integer');
  return (instance, run) => {
    const kind = jsonKind(instance);
    if (kind !== undefined && (names.includes(kind) || (takesInteger && Number.isInteger(instance)))) return true;
    return run.fail('type', () => `expected ${describeTypes(names)}, got ${describeFound(instance)}`);
  };
};

const compileEnum: KeywordCompiler = (value, site) => {
  if (!Array.isArray(value)) return site.ignore('is not a list');
  const choices: readonly unknown[] = value;
  const keys = new Set(choices.map(equalityKey));
  return (instance, run) =>
    keys.has(equalityKey(instance)) ||
    run.fail('enum', () => `expected ${describeChoices(choices)}, got ${describeFound(instance)}`);
};

const compileConst: KeywordCompiler = (value) => {
  const key = equalityKey(value);
  return (instance, run) =>
    Object.is(equalityKey(instance), key) ||
    run.fail('const', () => `expected ${describeChoices([value])}, got ${describeFound(instance)}`);
};

/** Keywords for values of every kind. */
export const GENERAL_KEYWORDS: readonly KeywordEntry[] = [
  ['type', compileType],
  ['enum', compileEnum],
  ['const', compileConst],
];
