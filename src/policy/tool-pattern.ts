import { canonicalJson } from '../call/canonical-json.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { Glob } from './glob.ts';
import type { PolicyScope } from './tool-policy.ts';

/** Which tools, or which calls of them, are meant; made by `parseToolPattern`. */
export interface ToolPattern {
  /** As it was written. */
  readonly text: string;
  /** Absent for a bare name, whose meaning depends on where its policy stands. */
  readonly server?: NamePattern;
  readonly tool: NamePattern;
  /** All must hold; without any the pattern is about the tool alone. */
  readonly conditions: readonly ArgumentCondition[];
}

export interface NamePattern {
  readonly text: string;
  readonly matches: Glob;
}

/** What one argument must look like; one that is absent looks like nothing. */
export interface ArgumentCondition {
  readonly path: readonly string[];
  readonly matches: Glob;
}

/** Whether a pattern is about this tool, whatever the arguments; a bare name is about every tool that has it. */
export function matchesTool(pattern: ToolPattern, tool: ToolRef, scope: PolicyScope): boolean {
  const { matches } = pattern.tool;
  if (pattern.server) return tool.server !== undefined && pattern.server.matches(tool.server) && matches(tool.tool);
  if (scope.kind === 'server') return tool.server === scope.server && matches(tool.tool);
  return matches(tool.name) || matches(tool.tool);
}

/** The same, but a bare name is only that of a tool of ours or one as agents see it: any server may call a tool as it likes. */
export function singlesOut(pattern: ToolPattern, tool: ToolRef, scope: PolicyScope): boolean {
  const isBare = pattern.server === undefined && scope.kind !== 'server';
  if (isBare && tool.source !== 'native') return pattern.tool.matches(tool.name);
  return matchesTool(pattern, tool, scope);
}

/** Whether a pattern is about this call. */
export function matchesCall(pattern: ToolPattern, call: ToolCall, scope: PolicyScope): boolean {
  return matchesTool(pattern, call.tool, scope) && meetsConditions(pattern, call);
}

/** Whether the arguments are as a pattern wants them, whatever the tool. */
export function meetsConditions(pattern: ToolPattern, call: ToolCall): boolean {
  for (const { path, matches } of pattern.conditions) {
    const value = valueAt(call.arguments, path);
    if (value === undefined || !matches(typeof value === 'string' ? value : canonicalJson(value))) return false;
  }
  return true;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let current = root;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[step];
  }
  return current;
}
