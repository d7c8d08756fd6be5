import { z } from 'zod';
import { parseHostRule } from '../isolation/host-rule.ts';
import { IsolationConfig } from '../isolation/isolation-config.ts';
import type { IsolationMode } from '../isolation/isolation-mode.ts';
import { NetworkPolicy } from '../isolation/network-policy.ts';
import { pathMistake, SandboxConfig } from '../isolation/sandbox-config.ts';
import type { FieldPath, FieldProblem } from './config-problem.ts';
import { isMap } from './found-value.ts';
import { originOf, respellKeys } from './key-spelling.ts';
import { checkSchema } from './schema-problems.ts';

/** What a file says about a server's isolation: one word, or in full. */
export type IsolationEntry = IsolationMode | IsolationMap;

export interface IsolationMap {
  readonly sandbox?: IsolationMode | SandboxEntry;
  readonly networkPolicy?: { readonly domains: readonly string[] };
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
}

interface SandboxEntry {
  readonly enabled?: boolean;
  readonly mode?: IsolationMode;
  readonly readablePaths?: readonly string[];
  readonly writablePaths?: readonly string[];
}

const text = z.string().min(1);
const word = z.enum(['required', 'preferred', 'off']);
const openPath = text.refine((path) => pathMistake(path) === undefined, {
  error: 'a path, but not that of the whole machine or of /proc',
});
const domain = text.refine(isHostRule, { error: 'a host, such as api.github.com, *.github.com or localhost:8080' });

const sandboxShape = {
  enabled: z.boolean().exactOptional().describe('True is `mode: required`.'),
  mode: word.exactOptional().describe('Whether the server must, should or need not run in a sandbox.'),
  readablePaths: z.array(openPath).exactOptional().describe('What it may read beside its own program.'),
  writablePaths: z.array(openPath).exactOptional().describe('What it may also change.'),
};
const networkShape = {
  domains: z.array(domain).describe('The only hosts that it reaches; none if the list is empty.'),
};
const sandboxMap = z.strictObject(sandboxShape);
const isolationShape = {
  sandbox: z.union([word, sandboxMap]).exactOptional(),
  networkPolicy: z.strictObject(networkShape).exactOptional(),
  env: z.record(text, z.string()).exactOptional().describe("Environment below the server's own."),
  home: text.exactOptional().describe('A folder that serves as HOME and stays; else HOME is empty at each start.'),
};

/** The shape of `isolation`, for those who read a file by its schema. */
export const isolationEntrySchema: z.ZodType<IsolationEntry> = z.union([word, z.strictObject(isolationShape)], {
  error: '"required", "preferred", "off" or a map',
});

/** The keys of the maps in an isolation, by their path in it. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(isolationShape),
  sandbox: Object.keys(sandboxShape),
  networkPolicy: Object.keys(networkShape),
};

export interface IsolationReading {
  readonly value?: IsolationMap;
  readonly problems: readonly FieldProblem[];
}

/** Reads an isolation that is a map and finds every mistake in it. */
export function readIsolation(raw: Readonly<Record<string, unknown>>): IsolationReading {
  const outer = respellKeys(raw, KEYS[''] ?? []);
  const problems: FieldProblem[] = [...outer.problems];
  const value: Record<string, unknown> = { ...outer.value };
  const origins = new Map<string, ReadonlyMap<string, FieldPath>>([['', outer.origins]]);
  for (const name of ['sandbox', 'networkPolicy']) {
    const inner = value[name];
    if (!isMap(inner)) continue;
    const respelled = respellKeys(inner, KEYS[name] ?? []);
    value[name] = respelled.value;
    origins.set(name, respelled.origins);
    problems.push(...respelled.problems.map((problem) => ({ ...problem, path: [name, ...problem.path] })));
  }
  const found = [...schemaProblems(value), ...sandboxProblems(value['sandbox'])];
  const placed = found.map((problem) => ({ ...problem, path: writtenPath(problem.path, origins) }));
  const all = [...problems, ...placed];
  return all.length === 0 ? { value, problems: [] } : { problems: all };
}

export function toIsolation(entry: IsolationEntry): IsolationConfig | 'off' {
  if (typeof entry === 'string') return entry === 'off' ? 'off' : IsolationConfig.ofMode(entry);
  const { sandbox, networkPolicy, ...rest } = entry;
  return new IsolationConfig({
    ...rest,
    ...(sandbox !== undefined && {
      sandbox: new SandboxConfig(typeof sandbox === 'string' ? { mode: sandbox } : sandbox),
    }),
    ...(networkPolicy && { networkPolicy: NetworkPolicy.withDomains(...networkPolicy.domains) }),
  });
}

/** A union cannot tell what is wrong in one of its maps: what was written decides which of the two is meant. */
function schemaProblems(value: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  const sandbox = (isMap(value['sandbox']) ? sandboxMap : word).exactOptional();
  const schema: z.ZodType = z.strictObject({ ...isolationShape, sandbox });
  const checked = checkSchema(schema, value, (path) => KEYS[path.join('.')] ?? []);
  return checked.ok ? [] : checked.problems;
}

function sandboxProblems(sandbox: unknown): readonly FieldProblem[] {
  if (!isMap(sandbox) || !('enabled' in sandbox) || !('mode' in sandbox)) return [];
  return [{ path: ['sandbox', 'mode'], part: 'key', found: 'mode beside enabled', expected: 'only one of them' }];
}

function writtenPath(path: FieldPath, origins: ReadonlyMap<string, ReadonlyMap<string, FieldPath>>): FieldPath {
  const [first, ...rest] = path;
  if (first === undefined) return path;
  const inside = originOf(origins.get(String(first)) ?? new Map(), rest);
  return [...originOf(origins.get('') ?? new Map(), [first]), ...inside];
}

function isHostRule(entry: string): boolean {
  try {
    parseHostRule(entry);
    return true;
  } catch {
    return false;
  }
}
