import { toAutomaton } from './pattern-automaton.ts';
import { patternCost } from './pattern-cost.ts';
import { parsePattern } from './pattern-syntax.ts';

/** A pattern that can be held against texts, or why it is not. */
export type SafePattern =
  | {
      readonly kind: 'usable';
      /** Longer texts are not held against it. */
      readonly maxLength: number;
      matches(text: string): boolean;
      /** What matching this text may take, in steps of the evaluation. */
      costOf(text: string): number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

// What takes at most about a tenth of a second, by the degree of the pattern's cost.
const MAX_LENGTHS = [1_000_000, 1_000_000, 5000, 400, 100];
const MAX_STEPS = 100_000;
const MAX_SOURCE = 5000;

// What the patterns of one schema may cost to look into, all together.
const MAX_WORK = 200_000;

/** Reads the patterns of one schema, each once. */
export class PatternReader {
  readonly #known = new Map<string, SafePattern>();
  #workLeft = MAX_WORK;

  /** Reads a regular expression as JSON Schema means it: unanchored, with Unicode; refuses what could run for ages. */
  read(source: string): SafePattern {
    const known = this.#known.get(source) ?? this.#read(source);
    this.#known.set(source, known);
    return known;
  }

  #read(source: string): SafePattern {
    if (source.length > MAX_SOURCE) return { kind: 'refused', reason: `is longer than ${MAX_SOURCE} characters` };
    const expression = toExpression(source);
    if (expression === undefined) return { kind: 'refused', reason: 'is no regular expression' };
    const maxLength = this.#longestSafeText(source);
    if (maxLength === undefined) return { kind: 'refused', reason: 'could take too long to match' };
    return {
      kind: 'usable',
      maxLength,
      matches: (text) => text.length > maxLength || expression.test(text),
      costOf: ({ length }) => (length > maxLength ? 0 : Math.floor(MAX_STEPS * (length / maxLength) ** 2)),
    };
  }

  #longestSafeText(source: string): number | undefined {
    const pattern = parsePattern(source);
    if (pattern === undefined) return undefined;
    const automaton = toAutomaton(pattern);
    if (automaton === undefined) return undefined;
    this.#workLeft -= source.length + automaton.sets.length;
    const cost = patternCost(automaton, this.#workLeft);
    this.#workLeft -= cost.work;
    if (cost.degree === undefined) return undefined;
    // Without an anchor every character may be where a match starts.
    const isAnchored = source.startsWith('^') && pattern.kind !== 'choice';
    return MAX_LENGTHS[cost.degree + (isAnchored ? 0 : 1)];
  }
}

function toExpression(source: string): RegExp | undefined {
  // Some are valid only by the older, laxer rules.
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}
