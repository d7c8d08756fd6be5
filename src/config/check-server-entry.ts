import type { FieldProblem } from './config-problem.ts';
import { describeFound, quote } from './found-value.ts';
import type { Scope } from './server.ts';
import { isServerName, SERVER_NAME_PATTERN, slugServerName } from './server-name.ts';
import type { Dialect } from './server-spelling.ts';

type Entry = Readonly<Record<string, unknown>>;

/** What a server is called, unless that is a mistake. */
export interface Naming {
  readonly name?: string;
  /** The original of a name that had to be changed. */
  readonly displayName?: string;
  readonly problems: readonly FieldProblem[];
}

/** The name an entry is declared under, which its own must agree with unless that names a server in this process. */
export function nameOf(given: string | undefined, entry: Entry, dialect: Dialect): Naming {
  const { name: own, type } = entry as { readonly name?: unknown; readonly type?: unknown };
  const isForeign = dialect === 'mcp-json';
  if (given !== undefined && own !== undefined && own !== given && type !== 'sdk' && !isForeign) {
    return refused('name', describeFound(own, ['name']), `${quote(given)}, the name it is declared under`);
  }
  const name = given ?? own;
  if (name === undefined) return refused('name', 'nothing', 'a name');
  if (isServerName(name)) return { name, problems: [] };
  if (isForeign && typeof name === 'string') return { name: slugServerName(name), displayName: name, problems: [] };
  const example = typeof name === 'string' ? `, such as ${quote(slugServerName(name))}` : '';
  const expected = `a name that matches ${SERVER_NAME_PATTERN.source}${example}`;
  const path = given === undefined ? ['name'] : [];
  return {
    problems: [{ path, part: given === undefined ? 'value' : 'key', found: describeFound(name, ['name']), expected }],
  };
}

/** A file that comes with a project must not say that its servers are to be trusted. */
export function trustProblems(entry: Entry, scope: Scope | undefined): readonly FieldProblem[] {
  if (!('trust' in entry) || scope === undefined || scope === 'user' || scope === 'managed') return [];
  const expected = "no trust here: only the user's own or the managed file may say whom to trust";
  return [{ path: ['trust'], part: 'key', found: `trust in a ${scope} file`, expected }];
}

/** A duration may be said in two ways, but only once. */
export function durationProblems(entry: Entry): readonly FieldProblem[] {
  const twice = ['timeout', 'connectTimeout'].filter((field) => field in entry && `${field}Ms` in entry);
  return twice.map((field) => ({
    path: [`${field}Ms`],
    part: 'key',
    found: `${field}Ms beside ${field}`,
    expected: 'only one of them',
  }));
}

function refused(field: string, found: string, expected: string): Naming {
  return { problems: [{ path: [field], part: 'value', found, expected }] };
}
