import { isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Document, Node, Pair, YAMLError } from 'yaml';
import { messageOf } from '../errors.ts';
import type { ConfigProblem, FieldPart, FieldPath } from './config-problem.ts';
import { positionAt } from './source-document.ts';
import type { SourceDocument } from './source-document.ts';

// An alias costs nothing to write and doubles what it stands for; real files need a handful.
const MAX_ALIASES = 100;

type YamlDocument = Document.Parsed;
type YamlPair = Pair;

/** Parses YAML 1.2 as plain data: no custom tags, no merge keys, each key once. */
export function parseYamlDocument(text: string, file: string): SourceDocument {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    stringKeys: true,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const problemAt = (offset: number, found: string, expected: string): ConfigProblem => ({
    file,
    ...positionAt(text, offset),
    field: '',
    found,
    expected,
  });
  const problems = [...syntaxProblems(document, problemAt), ...refusedNodes(document, problemAt)];
  const locate = (path: FieldPath, part: FieldPart) => positionAt(text, offsetOf(document, path, part));
  if (problems.length > 0) return { file, value: undefined, problems, locate };
  try {
    return { file, value: document.toJS({ maxAliasCount: MAX_ALIASES }), problems, locate };
  } catch (error) {
    const tooMany = problemAt(0, `aliases that cannot be followed (${messageOf(error)})`, 'few and simple aliases');
    return { file, value: undefined, problems: [tooMany], locate };
  }
}

type ProblemAt = (offset: number, found: string, expected: string) => ConfigProblem;

function syntaxProblems(document: YamlDocument, problemAt: ProblemAt): ConfigProblem[] {
  const exhausted = document.errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  if (exhausted) return [problemAt(exhausted.pos[0], 'values nested too deeply', 'a few levels')];
  return [...document.errors, ...document.warnings].map((error) => {
    const { found, expected } = inWords(error);
    return problemAt(error.pos[0], found, expected);
  });
}

function inWords(error: YAMLError): { readonly found: string; readonly expected: string } {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return { found: 'a key that was given before', expected: 'each key once' };
    case 'NON_STRING_KEY':
      return { found: 'a key that is no text', expected: 'text as a key, in quotes where it looks like a number' };
    case 'TAG_RESOLVE_FAILED':
      return { found: 'a tag', expected: 'plain YAML without tags' };
    case 'MULTIPLE_DOCS':
      return { found: 'a second document', expected: 'one document per file' };
    case 'BAD_DQ_ESCAPE':
      return { found: 'an unknown escape sequence', expected: 'one that YAML has, or single quotes' };
    case 'BAD_DIRECTIVE':
      return { found: 'a directive', expected: 'YAML without directives' };
    default:
      // What follows a colon may quote the file, and a file may hold secrets.
      return { found: `invalid YAML (${error.message.replace(/: .*$/s, '')})`, expected: 'valid YAML' };
  }
}

/** What YAML allows but plain data cannot hold. */
function refusedNodes(document: YamlDocument, problemAt: ProblemAt): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return;
      problems.push(problemAt(alias.range?.[0] ?? 0, 'an alias of nothing', 'an anchor (&name) before its alias'));
    },
    Pair(_, pair) {
      if (keyOf(pair) !== '__proto__') return;
      problems.push(problemAt(keyOffset(pair) ?? 0, 'the key "__proto__"', 'another key'));
    },
  });
  return problems;
}

/** Walks as far as the path can be followed. */
function offsetOf(document: YamlDocument, path: FieldPath, part: FieldPart): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, step] of path.entries()) {
    const resolved: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isSeq(resolved)) {
      node = resolved.items[Number(step)];
      offset = startOf(node) ?? offset;
      continue;
    }
    const pair: YamlPair | undefined = isMap(resolved)
      ? resolved.items.find((item) => keyOf(item) === String(step))
      : undefined;
    if (!pair) return offset;
    node = pair.value;
    const isLast = index === path.length - 1;
    offset = (isLast && part === 'key' ? undefined : startOf(node)) ?? keyOffset(pair) ?? offset;
  }
  return offset;
}

function keyOf(pair: YamlPair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function keyOffset(pair: YamlPair): number | undefined {
  return startOf(pair.key);
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
