import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { McpError } from '../errors.ts';
import { defineSlice } from '../session/slice.ts';
import type { Slice } from '../session/slice.ts';
import { ALLOW, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import { findDependencyCycle } from './dependency-cycle.ts';
import type { Dependency } from './dependency-cycle.ts';
import { parseToolPattern } from './parse-tool-pattern.ts';
import { scopeKey } from './policy-reach.ts';
import { matchesCall, matchesTool } from './tool-pattern.ts';
import type { ToolPattern } from './tool-pattern.ts';
import type { PolicyContext, PolicyScope, ToolPolicy } from './tool-policy.ts';

/** For each tool, or pattern of tools, what must have succeeded before it. */
export type Dependencies =
  | Readonly<Record<string, string | Iterable<string>>>
  | ReadonlyMap<string, string | Iterable<string>>;

/** A tool may be called only after others have succeeded in the same session. */
export class SequentialDependencyPolicy implements ToolPolicy {
  readonly name: string;
  readonly #dependencies: readonly Dependency[];
  readonly #required: readonly ToolPattern[];
  readonly #succeeded: Slice<Succeeded>;
  readonly #known = new WeakMap<ToolRef, Candidates>();

  constructor(dependencies: Dependencies, options: { readonly name?: string } = {}) {
    this.name = options.name ?? 'sequential-dependency';
    this.#dependencies = parseDependencies(this.name, dependencies);
    const required = this.#dependencies.flatMap((dependency) => dependency.requires);
    this.#required = [...new Map(required.map((pattern) => [pattern.text, pattern])).values()];
    this.#succeeded = defineSlice({ name: `policy/${this.name}` });
    Object.freeze(this);
  }

  check(call: ToolCall, context: PolicyContext): Decision {
    const { governing: candidates } = this.#candidatesFor(call.tool, context.scope);
    const governing =
      candidates.length === 0 ? candidates : candidates.filter(({ tool }) => matchesCall(tool, call, context.scope));
    if (governing.length === 0) return ALLOW;
    const required = new Set(governing.flatMap(({ requires }) => requires.map(({ text }) => text)));
    for (const text of this.#succeededIn(context)) required.delete(text);
    if (required.size === 0) return ALLOW;
    return deny(`Tool '${spelledName(call, governing)}' requires: ${[...required].toSorted().join(', ')}`);
  }

  onResult(call: ToolCall, result: ToolResult, context: PolicyContext): void {
    if (!result.success) return;
    const { satisfied } = this.#candidatesFor(call.tool, context.scope);
    if (satisfied.length === 0) return;
    const scope = scopeKey(context.scope);
    const slice = context.session.slice(this.#succeeded);
    for (const pattern of satisfied) {
      const { text } = pattern;
      const isSame = (item: Succeeded): boolean => item.scope === scope && item.pattern === text;
      if (slice.all().some(isSame) || !matchesCall(pattern, call, context.scope)) continue;
      slice.upsert({ scope, pattern: text }, isSame);
    }
  }

  /** What the policy has to do with a tool, which is the same object from call to call. */
  #candidatesFor(tool: ToolRef, scope: PolicyScope): Candidates {
    const known = this.#known.get(tool);
    if (known?.scope === scope) return known;
    const candidates = {
      scope,
      governing: this.#dependencies.filter((dependency) => matchesTool(dependency.tool, tool, scope)),
      satisfied: this.#required.filter((pattern) => matchesTool(pattern, tool, scope)),
    };
    this.#known.set(tool, candidates);
    return candidates;
  }

  #succeededIn({ scope, session }: PolicyContext): readonly string[] {
    const key = scopeKey(scope);
    return session
      .slice(this.#succeeded)
      .where((item) => item.scope === key)
      .map(({ pattern }) => pattern);
  }
}

interface Candidates {
  readonly scope: PolicyScope;
  readonly governing: readonly Dependency[];
  readonly satisfied: readonly ToolPattern[];
}

/** A required pattern that a call has satisfied, for a policy that stands at one place. */
interface Succeeded {
  readonly scope: string;
  readonly pattern: string;
}

function parseDependencies(name: string, given: Dependencies): readonly Dependency[] {
  const entries = given instanceof Map ? [...given] : Object.entries(given);
  const dependencies = entries.map(([tool, requires]: readonly [string, string | Iterable<string>]) => ({
    tool: parseToolPattern(tool),
    requires: (typeof requires === 'string' ? [requires] : [...requires]).map(parseToolPattern),
  }));
  if (dependencies.length === 0) throw invalid(name, 'no tool is named');
  const empty = dependencies.find(({ requires }) => requires.length === 0);
  if (empty) throw invalid(name, `nothing is required for '${empty.tool.text}'`);
  const cycle = findDependencyCycle(dependencies);
  if (cycle) throw invalid(name, `these wait for each other for ever: ${cycle.join(' → ')}`);
  return dependencies;
}

/** The tool as its author spelled it, unless that was a pattern for several. */
function spelledName({ tool }: ToolCall, governing: readonly Dependency[]): string {
  const named = governing.find(({ tool: { text, conditions } }) => conditions.length === 0 && !text.includes('*'));
  return named?.tool.text ?? tool.tool;
}

function invalid(name: string, mistake: string): McpError {
  return new McpError('CONFIG_INVALID', `policy '${name}': ${mistake}`);
}
