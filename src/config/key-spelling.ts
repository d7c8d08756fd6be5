import type { FieldPath, FieldProblem } from './config-problem.ts';

/** Other names of a key: what a file may say, to what we call it. */
export type Aliases = Readonly<Record<string, string>>;

/** A map under our own key names, that still knows what its file calls them. */
export interface RespelledMap {
  readonly value: Readonly<Record<string, unknown>>;
  /** Our key to its place in the map as it was written. */
  readonly origins: ReadonlyMap<string, FieldPath>;
  readonly problems: readonly FieldProblem[];
}

/** Renames keys written in snake_case or under another name, and leaves out known ones that have no value. */
export function respellKeys(
  raw: Readonly<Record<string, unknown>>,
  known: readonly string[],
  aliases: Aliases = {},
): RespelledMap {
  const names = new Set(known);
  const value = new Map<string, unknown>();
  const origins = new Map<string, FieldPath>();
  const problems: FieldProblem[] = [];
  for (const [written, entry] of Object.entries(raw)) {
    const key = ourKey(written, names, aliases);
    if (names.has(key) && (entry === null || entry === undefined)) continue;
    const other = origins.get(key);
    if (other) {
      problems.push(saidTwice([written], other));
      continue;
    }
    value.set(key, entry);
    origins.set(key, [written]);
  }
  return { value: Object.fromEntries(value), origins, problems };
}

/** The mistake of saying one thing under two names. */
export function saidTwice(path: FieldPath, other: FieldPath): FieldProblem {
  return {
    path,
    part: 'key',
    found: `the same as in ${JSON.stringify(other.join('.'))}`,
    expected: 'only one of them',
  };
}

/** Where a field of the renamed map stands in the map as it was written. */
export function originOf(origins: ReadonlyMap<string, FieldPath>, path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  if (first === undefined) return path;
  return [...(origins.get(String(first)) ?? [first]), ...rest];
}

function ourKey(written: string, known: ReadonlySet<string>, aliases: Aliases): string {
  if (known.has(written)) return written;
  const camel = written.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (known.has(camel)) return camel;
  if (Object.hasOwn(aliases, camel)) return aliases[camel] ?? written;
  return written;
}
