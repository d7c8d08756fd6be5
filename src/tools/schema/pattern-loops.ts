import type { PatternAutomaton } from './pattern-automaton.ts';

/** Places of a pattern that can be reached from each other again and again. */
export type Loop = ReadonlySet<number>;

/** Every loop of a pattern; no two share a place. */
export function findLoops({ next }: PatternAutomaton): readonly Loop[] {
  const back = backwards(next);
  const candidates = trim(next, back);
  const loops: Loop[] = [];
  const settled = new Set<number>();
  for (const place of candidates) {
    if (settled.has(place)) continue;
    const ahead = reach([place], (at) => inside(next[at]?.keys() ?? [], candidates));
    const behind = reach([place], (at) => inside(back[at] ?? [], candidates));
    const both = new Set([...ahead].filter((other) => behind.has(other)));
    for (const other of both) settled.add(other);
    if (both.size > 0) loops.push(both);
  }
  return loops;
}

/** Everything reachable in one step or more. */
export function reach<Key>(starts: readonly Key[], nextOf: (at: Key) => readonly Key[]): Set<Key> {
  const seen = new Set<Key>();
  const stack = [...starts];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const to of nextOf(at)) {
      if (seen.has(to)) continue;
      seen.add(to);
      stack.push(to);
    }
  }
  return seen;
}

function backwards(next: PatternAutomaton['next']): readonly (readonly number[])[] {
  const back: number[][] = next.map(() => []);
  for (const [from, edges] of next.entries()) for (const to of edges.keys()) back[to]?.push(from);
  return back;
}

/** What is left when all that leads nowhere is taken away, again and again: most patterns have little of it. */
function trim(next: PatternAutomaton['next'], back: readonly (readonly number[])[]): ReadonlySet<number> {
  const left = new Set(next.keys());
  const degrees = next.map((edges) => edges.size);
  const ends = [...left].filter((place) => degrees[place] === 0);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    left.delete(end);
    for (const from of back[end] ?? []) {
      const degree = (degrees[from] ?? 0) - 1;
      degrees[from] = degree;
      if (degree === 0) ends.push(from);
    }
  }
  return left;
}

function inside(places: Iterable<number>, wanted: ReadonlySet<number>): readonly number[] {
  return [...places].filter((place) => wanted.has(place));
}
