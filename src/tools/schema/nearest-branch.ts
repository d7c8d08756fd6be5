import { joined } from './describe-value.ts';
import type { Attempt } from './evaluation.ts';
import type { SchemaProblem, ValuePath } from './schema-check.ts';

/** Of several forms that a value fits none of: what separates it from the one that it comes nearest to. */
export function nearestBranch(
  keyword: 'anyOf' | 'oneOf',
  path: ValuePath,
  attempts: readonly Attempt[],
): readonly SchemaProblem[] {
  const simple = simpleAlternatives(path, attempts);
  if (simple !== undefined) return [{ path, keyword, message: simple }];
  let best: { readonly problems: readonly SchemaProblem[]; readonly distance: number; readonly form: number } | undefined;
  for (const [index, { problems }] of attempts.entries()) {
    const distance = problems.reduce((sum, problem) => sum + weight(problem, path), 0);
    if (distance < (best?.distance ?? Infinity)) best = { problems, distance, form: index + 1 };
  }
  if (best === undefined) return [{ path, keyword, message: 'fits none of the allowed forms' }];
  const message = `fits none of the ${attempts.length} allowed forms; nearest is form ${best.form}`;
  return attempts.length === 1 ? best.problems : [{ path, keyword, message }, ...best.problems];
}

const GOT = /^expected (?<wanted>.*), got (?<found>.*)$/s;

/** Where every form only asks for another kind or value here, one sentence says it all. */
function simpleAlternatives(path: ValuePath, attempts: readonly Attempt[]): string | undefined {
  const wanted = new Set<string>();
  let found = '';
  for (const { problems } of attempts) {
    const [problem] = problems;
    const parts = problem === undefined ? undefined : GOT.exec(problem.message)?.groups;
    if (problem === undefined || parts === undefined || problems.length > 1) return undefined;
    if (problem.path.length !== path.length || !PLAIN.has(problem.keyword)) return undefined;
    wanted.add(parts['wanted'] ?? '');
    found = parts['found'] ?? '';
  }
  return `expected ${joined([...wanted].slice(0, MAX_FORMS))}${wanted.size > MAX_FORMS ? ' or another form' : ''}, got ${found}`;
}

const PLAIN: ReadonlySet<string> = new Set(['type', 'const', 'enum']);
const MAX_FORMS = 8;

/** A wrong kind says that another form was meant, a wrong constant nearly so, all else that this one was. */
function weight(problem: SchemaProblem, path: ValuePath): number {
  const isHere = problem.path.length <= path.length;
  if (problem.keyword === 'type') return isHere ? 1000 : 20;
  if (problem.keyword === 'const' || problem.keyword === 'enum') return isHere ? 500 : 100;
  return 10;
}
