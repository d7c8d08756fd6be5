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
  const problems = [...syntaxProblems({ document, text }, problemAt), ...refusedNodes(document, problemAt)];
  const locate = (path: FieldPath, part: FieldPart) => positionAt(text, offsetOf(document, path, part));
  // A key that stands twice hides nothing else that is wrong with the file.
  const isReadable = problems.length === document.errors.filter(({ code }) => code === 'DUPLICATE_KEY').length;
  if (problems.length > 0 && !isReadable) return { file, value: undefined, problems, locate };
  try {
    return { file, value: document.toJS({ maxAliasCount: MAX_ALIASES }), problems, locate };
  } catch (error) {
    const tooMany = problemAt(0, `aliases that cannot be followed (${messageOf(error)})`, 'few and simple aliases');
    return { file, value: undefined, problems: [tooMany], locate };
  }
}

type ProblemAt = (offset: number, found: string, expected: string) => ConfigProblem;

function syntaxProblems(
  { document, text }: { document: YamlDocument; text: string },
  problemAt: ProblemAt,
): ConfigProblem[] {
  const exhausted = document.errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  if (exhausted) return [problemAt(exhausted.pos[0], 'values nested too deeply', 'a few levels')];
  const all = [...document.errors, ...document.warnings];
  const isKnown = ({ code }: YAMLError): boolean => code in WORDS;
  // After the first thing that is no YAML the rest is guesswork.
  const first = all.find((error) => !isKnown(error));
  return all
    .filter((error) => isKnown(error) || error === first)
    .map((error) => {
      const { found, expected } = inWords(error, text);
      return problemAt(error.pos[0], found, expected);
    });
}

type Words = Readonly<{ found: string; expected: string }>;

const WORDS: Readonly<Record<string, Words>> = {
  DUPLICATE_KEY: { found: 'a key that was given before', expected: 'each key once' },
  NON_STRING_KEY: { found: 'a key that is no text', expected: 'text as a key, in quotes where it looks like a number' },
  TAG_RESOLVE_FAILED: { found: 'a tag', expected: 'plain YAML without tags' },
  MULTIPLE_DOCS: { found: 'a second document', expected: 'one document per file' },
  BAD_DQ_ESCAPE: { found: 'an unknown escape sequence', expected: 'one that YAML has, or single quotes' },
  BAD_DIRECTIVE: { found: 'a directive', expected: 'YAML without directives' },
};

function inWords(error: YAMLError, text: string): Words {
  const known = WORDS[error.code];
  if (known) return known;
  const line = text.slice(
    text.lastIndexOf('\n', error.pos[0] - 1) + 1,
    text.indexOf('\n', error.pos[0]) + 1 || undefined,
  );
  const hint = /[[{,].*\$\{/.test(line) ? ', with quotes around text that holds ${…}' : '';
  // What follows a colon may quote the file, and a file may hold secrets.
  return { found: `invalid YAML (${error.message.replace(/: .*$/s, '')})`, expected: `valid YAML${hint}` };
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
