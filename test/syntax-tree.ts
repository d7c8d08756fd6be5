import { parseAst } from 'vitest/node';

/** A node of the ESTree that vitest's own parser gives. */
export interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One place where a module names another. */
export interface ModuleReference {
  readonly specifier: string;
  readonly kind: 'import' | 'import-type' | 'export-from' | 'export-all' | 'dynamic';
}

/** The top of a TypeScript module. A real parser, because strings and comments also contain the word import. */
export function parseModule(text: string): SyntaxNode {
  return parseAst(text, { lang: 'ts' }) as unknown as SyntaxNode;
}

/** Visits a node and everything in it; a visit that returns false keeps out of the node's inside. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => boolean | void): void {
  if (visit(node) === false) return;
  for (const child of childrenOf(node)) walk(child, visit);
}

/** The nodes directly inside a node. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Every module that a module names, in order. */
export function referencesOf(tree: SyntaxNode): readonly ModuleReference[] {
  const found: ModuleReference[] = [];
  walk(tree, (node) => {
    const kind = referenceKind(node);
    const specifier = isNode(node['source']) ? node['source']['value'] : undefined;
    if (kind && typeof specifier === 'string') found.push({ specifier, kind });
  });
  return found;
}

function referenceKind(node: SyntaxNode): ModuleReference['kind'] | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return node['importKind'] === 'type' ? 'import-type' : 'import';
    case 'TSImportType':
      return 'import-type';
    case 'ExportNamedDeclaration':
      return 'export-from';
    case 'ExportAllDeclaration':
      return 'export-all';
    case 'ImportExpression':
      return 'dynamic';
    default:
      return undefined;
  }
}
