import { dirname, join } from 'node:path/posix';
import type { SourceFile } from './architecture.ts';
import type { Requirement } from './requirements.ts';
import { childrenOf, isNode, parseModule, referencesOf } from './syntax-tree.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A requirement's id, and the full name of the test that cites it. */
export interface Citation {
  readonly id: string;
  readonly path: string;
  readonly test: string;
}

// A test that does not run, or that is expected to fail, proves nothing.
const UNPROVING = new Set(['skip', 'todo', 'fails']);
const CITED = /\[(S\d+\.[^\]]+)\]/g;

/** The test files, and what they import from the test folder, where suites that several of them run are kept. */
export function testSources(files: readonly SourceFile[]): readonly SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set(files.filter(({ path }) => path.endsWith('.test.ts')));
  for (const file of reached) {
    for (const { specifier } of referencesOf(parseModule(file.text))) {
      const target = byPath.get(join(dirname(file.path), specifier));
      if (target?.path.startsWith('test/') && target.path.endsWith('.ts')) reached.add(target);
    }
  }
  return [...reached];
}

/** Every citation in the names of the tests that run; a suite's name counts for each test in it. */
export function citationsIn(file: SourceFile): readonly Citation[] {
  return testNamesIn(parseModule(file.text), []).flatMap((name) =>
    [...name.matchAll(CITED)].flatMap((match) =>
      (match[1] ?? '').split(/[,\s]+/).map((id) => ({ id, path: file.path, test: name })),
    ),
  );
}

/** What is wrong between the requirements and the tests that cite them, one line each. */
export function coverageProblems(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): readonly string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const cited = new Set(citations.map(({ id }) => id));
  return [
    ...repeated(requirements.map(({ id }) => id)).map((id) => `${id} is listed twice`),
    ...requirements.flatMap((requirement) => problemOf(requirement, cited.has(requirement.id)) ?? []),
    ...citations
      .filter(({ id }) => !known.has(id))
      .map(({ id, path, test }) => `${path}: no requirement ${id}: ${test}`),
  ];
}

function problemOf({ id, claim, status, partly }: Requirement, isCited: boolean): string | undefined {
  if (status === 'planned') {
    if (isCited && partly === undefined)
      return `${id} is planned but cited: remove its status, or say what holds partly`;
    return !isCited && partly !== undefined ? `${id} is said to hold partly, but no test cites it` : undefined;
  }
  if (partly !== undefined) return `${id} is said to hold partly, but is not planned`;
  return isCited ? undefined : `${id} has no test: ${claim}`;
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

function testNamesIn(node: SyntaxNode, suites: readonly string[]): readonly string[] {
  const call = testCallOf(node);
  if (!call) return childrenOf(node).flatMap((child) => testNamesIn(child, suites));
  if (call.modifiers.some((modifier) => UNPROVING.has(modifier))) return [];
  const names = [...suites, call.title];
  if (call.kind !== 'describe') return [names.join(' > ')];
  return childrenOf(node).flatMap((child) => testNamesIn(child, names));
}

interface TestCall {
  readonly kind: string;
  readonly modifiers: readonly string[];
  readonly title: string;
}

/** Reads `test('…')`, `it.each(table)('…')`, `describe.skipIf(condition)('…')` and their like. */
function testCallOf(node: SyntaxNode): TestCall | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const [kind, ...modifiers] = chainOf(node['callee']);
  if (kind === undefined || !['test', 'it', 'describe'].includes(kind)) return undefined;
  const title = titleOf((node['arguments'] as readonly unknown[])[0]);
  return title === undefined ? undefined : { kind, modifiers, title };
}

/** The names in a chain such as `test.concurrent.each(table)`, first to last. */
function chainOf(node: unknown): readonly string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Identifier') return [String(node['name'])];
  if (node.type === 'MemberExpression') return [...chainOf(node['object']), ...chainOf(node['property'])];
  if (node.type === 'CallExpression') return chainOf(node['callee']);
  return node.type === 'TaggedTemplateExpression' ? chainOf(node['tag']) : [];
}

/** The literal text of a title; what is computed in it is left out. */
function titleOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral') {
    const pieces = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
    return pieces.map(({ value }) => value.cooked).join('…');
  }
  if (node.type !== 'BinaryExpression') return undefined;
  return `${titleOf(node['left']) ?? '…'}${titleOf(node['right']) ?? '…'}`;
}
