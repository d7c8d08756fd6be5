import { canonicalJson } from '../call/canonical-json.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigProblem, ConfigWarning } from './config-problem.ts';
import { referenceProblems } from './config-references.ts';
import { quote } from './found-value.ts';
import type { Declared, ParsedConfig } from './parsed-config.ts';
import type { PolicyEntry } from './policy-entry.ts';
import type { ProfileEntry, SectionEntry } from './section-entry.ts';
import type { McpServer, Scope } from './server.ts';
import { locateWarning } from './source-document.ts';

/** What all files together declare. */
export interface MergedConfig {
  readonly servers: readonly McpServer[];
  readonly policies: ReadonlyMap<string, PolicyEntry>;
  readonly sections: ReadonlyMap<string, SectionEntry>;
  readonly profiles: ReadonlyMap<string, ProfileEntry>;
  /** What holds on this machine whatever stronger files declare, for its policies. */
  readonly own: readonly OwnConfig[];
  readonly warnings: readonly ConfigWarning[];
}

/** What one of the managed and the user's own file says of sections and profiles. */
export type OwnConfig = Readonly<{
  sections: ReadonlyMap<string, SectionEntry>;
  profiles: ReadonlyMap<string, ProfileEntry>;
}>;

/** Puts files together, strongest first: the first to declare a name wins. Throws with every mistake of every file. */
export function mergeConfigs(files: readonly ParsedConfig[]): MergedConfig {
  const problems = [...files.flatMap((file) => file.problems), ...referenceProblems(files)];
  if (problems.length > 0) throw new ConfigError(inReadingOrder(problems, files));
  const warnings = files.flatMap((file) => file.warnings);
  const ownFiles = files.filter(({ scope }) => isOwn(scope));
  const inForce = serverPolicies(ownFiles);
  const servers = firstOfEach(files, (file) => file.servers, warnings);
  // What a user has named, a project must not be able to loosen by giving the same name to something else.
  const forPolicies = files.toSorted((left, right) => policyRank(left.scope) - policyRank(right.scope));
  return {
    servers: [...servers.values()].map((server) => withPolicies(server, inForce.get(server.name) ?? [])),
    policies: firstOfEach(forPolicies, (file) => file.policies, warnings),
    sections: firstOfEach(files, (file) => file.sections, warnings),
    profiles: firstOfEach(files, (file) => file.profiles, warnings),
    own: ownFiles.map((file) => ({
      sections: firstOfEach([file], ({ sections }) => sections, []),
      profiles: firstOfEach([file], ({ profiles }) => profiles, []),
    })),
    warnings,
  };
}

/** Whether a file belongs to this machine or its user, as opposed to one that may have come with a project. */
function isOwn(scope: Scope): boolean {
  return scope === 'managed' || scope === 'user';
}

/** By server, the policies that files put on it. */
function serverPolicies(files: readonly ParsedConfig[]): ReadonlyMap<string, McpServer['policies']> {
  const found = new Map<string, McpServer['policies']>();
  for (const { name, value } of files.flatMap(({ servers }) => servers))
    found.set(name, [...(found.get(name) ?? []), ...(value?.policies ?? [])]);
  return found;
}

/** A stronger file may declare a server under the same name, but only add to the policies on it. */
function withPolicies(server: McpServer, inForce: McpServer['policies']): McpServer {
  if (inForce.every((policy) => server.policies.includes(policy))) return server;
  return server.with({ policies: [...new Set([...inForce, ...server.policies])] });
}

function inReadingOrder(problems: readonly ConfigProblem[], files: readonly ParsedConfig[]): readonly ConfigProblem[] {
  const order = files.map(({ document }) => document.file);
  const place = ({ file = '', line = 0, column = 0 }: ConfigProblem) => [order.indexOf(file), line, column] as const;
  return problems.toSorted((left, right) => {
    const [leftFile, leftLine, leftColumn] = place(left);
    const [rightFile, rightLine, rightColumn] = place(right);
    return leftFile - rightFile || leftLine - rightLine || leftColumn - rightColumn;
  });
}

const POLICY_ORDER: readonly Scope[] = ['managed', 'user', 'local', 'project'];

function policyRank(scope: Scope): number {
  const rank = POLICY_ORDER.indexOf(scope);
  return rank === -1 ? POLICY_ORDER.length : rank;
}

function firstOfEach<Value extends object>(
  files: readonly ParsedConfig[],
  entriesOf: (file: ParsedConfig) => readonly Declared<Value>[],
  warnings: ConfigWarning[],
): ReadonlyMap<string, Value> {
  const first = new Map<string, { readonly value: Value; readonly file: string }>();
  for (const file of files) {
    for (const { name, path, value } of entriesOf(file)) {
      if (!value) continue;
      const winner = first.get(name);
      if (!winner) {
        first.set(name, { value, file: file.document.file });
      } else if (!isSame(winner.value, value)) {
        const use = hasPolicies(value) && isOwn(file.scope) ? 'only its policies are used' : 'not used';
        const message = `${use}, because ${winner.file} declares ${quote(name)} too and comes first`;
        warnings.push(locateWarning(file.document, { path, message }));
      }
    }
  }
  return new Map([...first].map(([name, { value }]) => [name, value]));
}

function hasPolicies(value: object): boolean {
  const { policies } = value as { readonly policies?: readonly unknown[] };
  return policies !== undefined && policies.length > 0;
}

/** Whether two declarations differ in nothing but where they stand. */
function isSame(left: object, right: object): boolean {
  return canonicalJson({ ...left, scope: undefined }) === canonicalJson({ ...right, scope: undefined });
}
