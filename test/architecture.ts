import { dirname, join } from 'node:path/posix';
import { clockUsesOf } from './clock-uses.ts';
import { parseModule, referencesOf } from './syntax-tree.ts';
import type { ModuleReference, SyntaxNode } from './syntax-tree.ts';

/** A file by its path from the root of the project, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Gives one line for each place that breaks the rule. */
export type Rule = (files: readonly SourceFile[]) => readonly string[];

/** The rooms under src, first to last: each imports from those before it only. Cluster stands beside hub. */
export const ROOMS: readonly string[] = [
  'call',
  'session',
  'policy',
  'isolation',
  'config',
  'tools',
  'transport',
  'connection',
  'hub',
  'cluster',
  'bridge',
  'prompt',
  'extension',
  'adapters',
  'testing',
  'gateway',
  'cli',
];

// What every room may import; a new one is a change of the design.
const FOUNDATIONS = new Set([
  'src/clock.ts',
  'src/emitter.ts',
  'src/errors.ts',
  'src/logger.ts',
  'src/phrase-finder.ts',
  'src/private-folder.ts',
  'src/redaction.ts',
  'src/secret-forms.ts',
  'src/version.ts',
]);
const BARREL = 'src/index.ts';
const MAX_LINES = 300;

/** Rooms import backwards only, foundations import foundations only, and nobody imports the public door. */
export const importsOnlyBackwards: Rule = (files) =>
  eachReference(files, ({ path }, reference) => {
    const target = resolve(path, reference);
    if (target === undefined || !target.startsWith('src/')) return undefined;
    if (rankOf(target) === undefined) return `${path} imports ${target}, which is in no known room`;
    return (rankOf(path) ?? 0) >= (rankOf(target) ?? 0) ? undefined : `${path} imports ${target}, which comes later`;
  });

/** Every file is a foundation, the public door, or in a known room. */
export const everyFileHasARoom: Rule = (files) =>
  files.filter(({ path }) => rankOf(path) === undefined).map(({ path }) => `${path} is in no known room`);

/** No file leads back to itself; lazy imports may, because they run later. */
export const noCycles: Rule = (files) => {
  const graph = new Map(files.map((file) => [file.path, eagerTargets(file)]));
  return [...graph.keys()].flatMap((path) => shortestCycle(graph, path) ?? []);
};

/** A file is one idea, and its name is that idea. */
export const noDrawerNames: Rule = (files) =>
  files
    .filter(({ path }) =>
      path.split('/').some((part) => {
        const stem = part.replace(/\..*$/, '');
        return /^types?$/.test(stem) || /(?:^|-)(?:utils?|helpers?|common|managers?)$/.test(stem);
      }),
    )
    .map(({ path }) => `${path} is named like a drawer`);

/** Only a table that says so at its top may be long. */
export const noLongFiles: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n');
    const isTable = lines.slice(0, 5).some((line) => /^\s*(?:\/\/|\/\*|\*).*\btable\b/i.test(line));
    return lines.length <= MAX_LINES || isTable ? [] : [`${path} has ${lines.length} lines`];
  });

/** Only the clock knows the time. */
export const onlyTheClockTellsTime: Rule = (files) =>
  files
    .filter(({ path }) => path !== 'src/clock.ts')
    .flatMap((file) => clockUsesOf(parse(file)).map((use) => `${file.path} uses ${use}`));

/** Things are imported from where they are declared; only the public door gathers them. */
export const onlyOneBarrel: Rule = (files) => [
  ...files
    .filter(({ path }) => path !== BARREL && path.endsWith('/index.ts'))
    .map(({ path }) => `${path} is a second barrel`),
  ...eachReference(files, ({ path }, { kind, specifier }) => {
    if (kind === 'export-all') return `${path} exports * from ${specifier}`;
    return kind === 'export-from' && path !== BARREL ? `${path} re-exports from ${specifier}` : undefined;
  }),
];

/** Every export has one name, the same everywhere. */
export const noDefaultExports: Rule = (files) =>
  files.filter((file) => hasDefaultExport(parse(file))).map(({ path }) => `${path} has a default export`);

/** What ships needs nothing that does not: only declared dependencies, only files under src. */
export function importsOnlyWhatShips(dependencies: ReadonlySet<string>): Rule {
  return (files) =>
    eachReference(files, ({ path }, reference) => {
      const target = resolve(path, reference);
      if (target !== undefined) return target.startsWith('src/') ? undefined : `${path} imports ${target}`;
      const { specifier } = reference;
      if (specifier.startsWith('node:') || dependencies.has(packageOf(specifier))) return undefined;
      return `${path} imports ${specifier}, which is no dependency`;
    });
}

function eachReference(
  files: readonly SourceFile[],
  judge: (file: SourceFile, reference: ModuleReference) => string | undefined,
): readonly string[] {
  return files.flatMap((file) => referencesOf(parse(file)).flatMap((reference) => judge(file, reference) ?? []));
}

// Every rule looks at every file.
const trees = new WeakMap<SourceFile, SyntaxNode>();

function parse(file: SourceFile): SyntaxNode {
  try {
    const tree = trees.get(file) ?? parseModule(file.text);
    trees.set(file, tree);
    return tree;
  } catch (error) {
    throw new Error(`${file.path} cannot be parsed`, { cause: error });
  }
}

/** The file that a relative import names; undefined for a package. */
function resolve(path: string, { specifier }: ModuleReference): string | undefined {
  return specifier.startsWith('.') ? join(dirname(path), specifier) : undefined;
}

function rankOf(path: string): number | undefined {
  if (FOUNDATIONS.has(path)) return 0;
  if (path === BARREL) return ROOMS.length + 1;
  const room = ROOMS.indexOf(path.split('/')[1] ?? '');
  return room === -1 ? undefined : room + 1;
}

function eagerTargets(file: SourceFile): readonly string[] {
  const eager = referencesOf(parse(file)).filter(({ kind }) => kind !== 'dynamic');
  return eager.flatMap((reference) => resolve(file.path, reference) ?? []);
}

/** The shortest way from a file back to itself, told once: by the file of the cycle that sorts first. */
function shortestCycle(graph: ReadonlyMap<string, readonly string[]>, start: string): string | undefined {
  const queue: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of queue) {
    for (const target of graph.get(way.at(-1) ?? '') ?? []) {
      if (target === start) return way.every((path) => path >= start) ? [...way, start].join(' → ') : undefined;
      if (!seen.has(target)) queue.push([...way, target]);
      seen.add(target);
    }
  }
  return undefined;
}

function hasDefaultExport(tree: SyntaxNode): boolean {
  return (tree['body'] as readonly SyntaxNode[]).some(
    (statement) => statement.type === 'ExportDefaultDeclaration' || exportsAsDefault(statement),
  );
}

function exportsAsDefault(statement: SyntaxNode): boolean {
  const specifiers = (statement['specifiers'] ?? []) as readonly { exported?: { name?: string } }[];
  return specifiers.some(({ exported }) => exported?.name === 'default');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
