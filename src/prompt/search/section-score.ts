/** A section and how well its tools fit a request. */
export interface SectionHit {
  readonly section: string;
  readonly score: number;
  /** Its best tools, the best first. */
  readonly tools: readonly string[];
}

/** A tool of a section and its score. */
export interface ScoredTool {
  readonly name: string;
  readonly section: string;
  readonly score: number;
}

// The best tool decides; a second and a third that fit make a section a little likelier, more would favour the large ones.
const COUNTED_TOOLS = 3;
const DECAY = 0.3;

/** Ranks sections by their best tools, which come in the order of their scores. */
export function rankSections(tools: Iterable<ScoredTool>): readonly SectionHit[] {
  const bySection = new Map<string, { score: number; tools: string[] }>();
  for (const { name, section, score } of tools) {
    const found = bySection.get(section) ?? { score: 0, tools: [] };
    bySection.set(section, found);
    if (found.tools.length >= COUNTED_TOOLS) continue;
    found.score += score * DECAY ** found.tools.length;
    found.tools.push(name);
  }
  const hits = [...bySection].map(([section, found]) => ({ section, ...found }));
  return hits.toSorted((left, right) => right.score - left.score || compareText(left.section, right.section));
}

/** The same order on every machine, whatever its language. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
