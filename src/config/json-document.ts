import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { ConfigProblem, FieldPart, FieldPath } from './config-problem.ts';
import { positionAt } from './source-document.ts';
import type { SourceDocument } from './source-document.ts';

// The parser calls itself for each level, and a config has a handful.
const MAX_DEPTH = 100;

/** Parses JSON, with comments and trailing commas as editors write them. */
export function parseJsonDocument(source: string, file: string): SourceDocument {
  const text = source.replace(/^\uFEFF/, '');
  const problemAt = (offset: number, found: string, expected: string): ConfigProblem => ({
    file,
    ...positionAt(text, offset),
    field: '',
    found,
    expected,
  });
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined) {
    const problems = [problemAt(deepAt, 'values nested too deeply', 'a few levels')];
    return { file, value: undefined, problems, locate: () => positionAt(text, deepAt) };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const problems = errors.map(({ error, offset }) =>
    problemAt(offset, `invalid JSON (${inWords(printParseErrorCode(error))})`, 'valid JSON'),
  );
  const read = new TreeReader(problemAt);
  const value = root && errors.length === 0 ? read.value(root) : undefined;
  problems.push(...read.problems);
  const locate = (path: FieldPath, part: FieldPart) => positionAt(text, offsetOf(root, path, part));
  return { file, value: problems.length === 0 ? value : undefined, problems, locate };
}

/** Turns the tree into plain data and notices what JSON.parse would pass over. */
class TreeReader {
  readonly problems: ConfigProblem[] = [];
  readonly #problemAt: (offset: number, found: string, expected: string) => ConfigProblem;

  constructor(problemAt: (offset: number, found: string, expected: string) => ConfigProblem) {
    this.#problemAt = problemAt;
  }

  value(node: Node): unknown {
    if (node.type === 'array') return (node.children ?? []).map((child) => this.value(child));
    if (node.type !== 'object') return node.value;
    const entries = new Map<string, unknown>();
    for (const property of node.children ?? []) {
      const [key, child] = property.children ?? [];
      if (!key || !child) continue;
      this.#refuse(key, entries);
      entries.set(String(key.value), this.value(child));
    }
    return Object.fromEntries(entries);
  }

  #refuse(key: Node, known: ReadonlyMap<string, unknown>): void {
    if (known.has(String(key.value))) {
      this.problems.push(this.#problemAt(key.offset, 'a key that was given before', 'each key once'));
    }
    if (key.value === '__proto__') {
      this.problems.push(this.#problemAt(key.offset, 'the key "__proto__"', 'another key'));
    }
  }
}

/** Walks as far as the path can be followed. */
function offsetOf(root: Node | undefined, path: FieldPath, part: FieldPart): number {
  let node = root;
  let offset = root?.offset ?? 0;
  for (const [index, step] of path.entries()) {
    const child: Node | undefined = node?.type === 'array' ? node.children?.[Number(step)] : propertyOf(node, step);
    if (!child) return offset;
    const isProperty = child.type === 'property';
    const wantsKey = isProperty && part === 'key' && index === path.length - 1;
    node = isProperty ? child.children?.[1] : child;
    offset = (wantsKey ? child.offset : node?.offset) ?? child.offset;
  }
  return offset;
}

function propertyOf(node: Node | undefined, step: string | number): Node | undefined {
  return node?.children?.find((child) => child.children?.[0]?.value === String(step));
}

/** Where the brackets go deeper than any config does. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    if (bracket === ']' || bracket === '}') depth -= 1;
    if (depth > MAX_DEPTH) return index;
  }
  return undefined;
}

function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
