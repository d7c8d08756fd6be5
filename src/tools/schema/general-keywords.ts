import { describeChoices, describeTypes } from './describe-value.ts';
import { isEqualJson } from './equal-json.ts';
import { jsonKind, primitiveKey } from './json-value.ts';
import type { Run } from './evaluation.ts';
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
    return run.fail('type', () => `expected ${describeTypes(names)}, got ${run.describe(instance)}`);
  };
};

const compileEnum: KeywordCompiler = (value, site) => {
  if (!Array.isArray(value)) return site.ignore('is not a list');
  const choices: readonly unknown[] = value;
  const keys = new Set(choices.map(primitiveKey));
  const composed = choices.filter((choice) => primitiveKey(choice) === undefined);
  return (instance, run) =>
    isChoice(instance, { keys, composed }, run) ||
    run.fail('enum', () => `expected ${describeChoices(choices)}, got ${run.describe(instance)}`);
};

interface Choices {
  readonly keys: ReadonlySet<unknown>;
  /** The objects and lists among them. */
  readonly composed: readonly unknown[];
}

function isChoice(instance: unknown, { keys, composed }: Choices, run: Run): boolean {
  const key = primitiveKey(instance);
  if (key !== undefined) return keys.has(key);
  return composed.some((choice) => isEqualJson(choice, instance, run));
}

const compileConst: KeywordCompiler = (value) => {
  return (instance, run) =>
    isEqualJson(value, instance, run) ||
    run.fail('const', () => `expected ${describeChoices([value])}, got ${run.describe(instance)}`);
};

/** Keywords for values of every kind. */
export const GENERAL_KEYWORDS: readonly KeywordEntry[] = [
  ['type', compileType],
  ['enum', compileEnum],
  ['const', compileConst],
];
