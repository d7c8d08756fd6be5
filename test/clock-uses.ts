import { childrenOf, isNode, referencesOf } from './syntax-tree.ts';
import type { SyntaxNode } from './syntax-tree.ts';

const GLOBALS = new Set(['setTimeout', 'setInterval']);
const MEMBERS = new Set([
  'Date.now',
  'performance.now',
  'process.hrtime',
  'AbortSignal.timeout',
  'globalThis.setTimeout',
  'globalThis.setInterval',
]);
const MODULES = /^(?:node:)?(?:timers|timers\/promises|perf_hooks)$/;

/** Every place where a module reads the time or waits without a Clock. */
export function clockUsesOf(tree: SyntaxNode): readonly string[] {
  const modules = referencesOf(tree).map(({ specifier }) => specifier);
  return [...modules.filter((specifier) => MODULES.test(specifier)), ...usesIn(tree)];
}

function usesIn(node: SyntaxNode): readonly string[] {
  const own = useOf(node);
  const inside = childrenOf(node).filter((child) => !isMereName(node, child));
  return [...(own === undefined ? [] : [own]), ...inside.flatMap(usesIn)];
}

function useOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return GLOBALS.has(nameOf(node)) ? nameOf(node) : undefined;
  if (node.type === 'MemberExpression') {
    const path = `${nameOf(node['object'])}.${nameOf(node['property'])}`;
    return MEMBERS.has(path) ? path : undefined;
  }
  if (nameOf(node['callee']) !== 'Date') return undefined;
  // `new Date(value)` is a conversion, and pure.
  if (node.type === 'NewExpression' && (node['arguments'] as readonly unknown[]).length === 0) return 'new Date()';
  return node.type === 'CallExpression' ? 'Date()' : undefined;
}

/** A name that stands for a member or a type, not for the global of that name. */
function isMereName(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (parent.type === 'TSTypeQuery' || parent.type.startsWith('Import')) return true;
  if (parent['computed'] === true) return false;
  return parent.type === 'MemberExpression' ? child === parent['property'] : child === parent['key'];
}

function nameOf(value: unknown): string {
  return isNode(value) && value.type === 'Identifier' ? String(value['name']) : '';
}
