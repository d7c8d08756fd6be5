import type { ToolPattern } from './tool-pattern.ts';

/** The calls that match `tool` need an earlier success of each of `requires`. */
export interface Dependency {
  readonly tool: ToolPattern;
  readonly requires: readonly ToolPattern[];
}

/** Tools that can never be called because each waits for the next and the last for the first; undefined if there are none. */
export function findDependencyCycle(dependencies: readonly Dependency[]): readonly string[] | undefined {
  const free = new Set<Dependency>();
  const visit = (dependency: Dependency, path: readonly Dependency[]): readonly string[] | undefined => {
    if (free.has(dependency)) return undefined;
    const start = path.indexOf(dependency);
    if (start !== -1) return [...path.slice(start), dependency].map(({ tool }) => tool.text);
    for (const next of dependencies.filter(({ tool }) => dependency.requires.some((item) => isPartOf(item, tool)))) {
      const cycle = visit(next, [...path, dependency]);
      if (cycle) return cycle;
    }
    free.add(dependency);
    return undefined;
  };
  for (const dependency of dependencies) {
    const cycle = visit(dependency, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Whether every call that matches `part` surely matches `whole` too. */
function isPartOf(part: ToolPattern, whole: ToolPattern): boolean {
  if (part.text === whole.text) return true;
  if (whole.conditions.length > 0 || !whole.tool.matches(part.tool.text)) return false;
  // What a bare name means beside a full one depends on where the policy stands.
  if (!part.server || !whole.server) return !part.server && !whole.server;
  return whole.server.matches(part.server.text);
}
