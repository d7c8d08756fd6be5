import { parseArgs } from 'node:util';
import { closestWord } from '../config/closest-word.ts';
import { DURATION_EXPECTED, parseDuration } from '../config/duration.ts';
import type { LogLevel } from '../logger.ts';
import { FLAGS, GLOBAL_FLAGS, LOG_LEVELS } from './flags.ts';
import type { FlagName, Flags } from './flags.ts';
import { UsageError } from './usage-error.ts';
import { DEFAULT_VERB, findVerb, VERBS } from './verbs.ts';
import type { Verb } from './verbs.ts';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'help'; readonly verb?: Verb }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly verb: Verb; readonly positionals: readonly string[]; readonly flags: Flags };

/** Reads the arguments after the program's name, or throws a UsageError that says what is wrong with them. */
export function parseArguments(argv: readonly string[]): Request {
  const { positionals, options } = split(argv);
  const [name, ...rest] = positionals;
  if (name === 'help') return { kind: 'help', ...(rest[0] !== undefined && { verb: requireVerb(rest[0]) }) };
  const has = (flag: FlagName): boolean => options.some((option) => option.name === flag);
  if (has('help')) return { kind: 'help', ...(name !== undefined && { verb: requireVerb(name) }) };
  if (has('version')) return { kind: 'version' };
  const verb = requireVerb(name ?? DEFAULT_VERB);
  const flags = parseFlags(verb, options);
  requirePositionals(verb, rest);
  return { kind: 'run', verb, positionals: rest, flags };
}

interface Option {
  /** How it was written, for messages. */
  readonly written: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly isInline: boolean;
}

/** Takes the words apart without judging them: which flags a verb has is known only once the verb is. */
function split(argv: readonly string[]): {
  readonly positionals: readonly string[];
  readonly options: readonly Option[];
} {
  const specs = Object.entries(FLAGS).map(([name, { short, value }]) => {
    const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string';
    return [name, { type, ...(short !== undefined && { short }) }] as const;
  });
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(specs),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const options = tokens.flatMap((token): readonly Option[] => {
    if (token.kind !== 'option') return [];
    return [{ written: token.rawName, name: token.name, value: token.value, isInline: token.inlineValue === true }];
  });
  return { positionals, options };
}

function requireVerb(name: string): Verb {
  const verb = findVerb(name);
  if (verb) return verb;
  throw new UsageError(
    `there is no verb '${name}'${suggestion(
      name,
      VERBS.map((each) => each.name),
    )}`,
  );
}

function parseFlags(verb: Verb, options: readonly Option[]): Flags {
  const known = new Set<string>([...verb.flags, ...GLOBAL_FLAGS]);
  const values = new Map<string, string | undefined>();
  for (const option of options) {
    if (!known.has(option.name)) throw unknownFlag(verb, option, known);
    values.set(option.name, valueOf(verb, option));
  }
  const level = values.get('log-level');
  const timeout = values.get('timeout');
  const limit = values.get('limit');
  return {
    json: values.has('json'),
    check: values.has('check'),
    noColor: values.has('no-color'),
    noCache: values.has('no-cache'),
    noEvents: values.has('no-events'),
    yes: values.has('yes'),
    follow: values.has('follow'),
    trustProject: values.has('trust-project'),
    ...(level !== undefined && { logLevel: requireLevel(verb, level) }),
    ...(timeout !== undefined && { timeoutMs: requireDuration(verb, timeout) }),
    ...(limit !== undefined && { limit: requireCount(verb, limit) }),
    ...textFlags(values),
  };
}

const TEXT_FLAGS = ['config', 'args', 'out', 'profile'] as const;
type TextFlag = (typeof TEXT_FLAGS)[number];

function textFlags(values: ReadonlyMap<string, string | undefined>): Pick<Flags, TextFlag> {
  const named = TEXT_FLAGS.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

function valueOf(verb: Verb, { written, name, value, isInline }: Option): string | undefined {
  const spec = FLAGS[name as FlagName];
  if (spec.value === undefined) {
    if (value === undefined) return undefined;
    throw new UsageError(`${written} takes no value, but was given '${value}'`, verb.name);
  }
  if (value === undefined) throw new UsageError(`${written} needs a value: ${written} ${spec.value}`, verb.name);
  // `--args --json` is far more often a forgotten value than one that begins with a dash.
  if (isInline || value === '-' || !value.startsWith('-')) return value;
  const hint = `write ${written}=${value} if that is the value`;
  throw new UsageError(`${written} needs a value: ${written} ${spec.value} (${hint})`, verb.name);
}

function unknownFlag(verb: Verb, { name, written }: Option, known: ReadonlySet<string>): UsageError {
  if (Object.hasOwn(FLAGS, name)) return new UsageError(`${verb.name} has no flag ${written}`, verb.name);
  return new UsageError(`there is no flag ${written}${suggestion(name, known, '--')}`, verb.name);
}

function requirePositionals(verb: Verb, given: readonly string[]): void {
  const required = verb.required ?? [];
  const missing = required[given.length];
  if (missing !== undefined) throw new UsageError(`${verb.name} needs ${missing}`, verb.name);
  const extra = given[required.length + (verb.optional?.length ?? 0)];
  if (extra !== undefined && !verb.hasMore) throw new UsageError(`'${extra}' is one argument too many`, verb.name);
}

function requireLevel(verb: Verb, text: string): LogLevel {
  const level = LOG_LEVELS.find((each) => each === text);
  if (level) return level;
  throw new UsageError(`--log-level is one of ${LOG_LEVELS.join(', ')}, not '${text}'`, verb.name);
}

function requireDuration(verb: Verb, text: string): number {
  const isNumber = /^\d+(?:\.\d+)?$/.test(text);
  const timeoutMs = parseDuration(isNumber ? Number(text) : text, { numberUnit: 's' });
  if (timeoutMs !== undefined) return timeoutMs;
  throw new UsageError(`--timeout must be ${DURATION_EXPECTED}, not '${text}'`, verb.name);
}

function requireCount(verb: Verb, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : undefined;
  if (count !== undefined && Number.isSafeInteger(count)) return count;
  throw new UsageError(`--limit must be a whole number, not '${text}'`, verb.name);
}

function suggestion(word: string, candidates: Iterable<string>, prefix = ''): string {
  const meant = closestWord(word, candidates);
  return meant === undefined ? '' : `; did you mean ${prefix}${meant}?`;
}
