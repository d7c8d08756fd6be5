import type { CharacterSet } from './character-set.ts';
import type { PatternNode } from './pattern-syntax.ts';

/** The characters of a pattern in their places, and which place can follow which. */
export interface PatternAutomaton {
  readonly sets: readonly CharacterSet[];
  /** Where a match can begin. */
  readonly first: readonly number[];
  /** From each place to the next ones, and in how many ways. */
  readonly next: readonly ReadonlyMap<number, number>[];
}

interface Fragment {
  readonly isOptional: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Fragment = { isOptional: true, first: [], last: [] };
// More than any real pattern has.
const MAX_PLACES = 2000;
const MAX_PARTS = 50_000;
// Beyond it a counted repetition is taken for an endless one.
const MAX_WRITTEN_OUT = 64;

/** Lays a pattern out as places (Glushkov's construction); undefined if it has too many. */
export function toAutomaton(pattern: PatternNode): PatternAutomaton | undefined {
  const builder = new AutomatonBuilder();
  const { first } = builder.add(pattern);
  const { sets, next } = builder;
  return builder.isTooLarge ? undefined : { sets, next, first };
}

class AutomatonBuilder {
  readonly sets: CharacterSet[] = [];
  readonly next: Map<number, number>[] = [];
  #parts = 0;

  get isTooLarge(): boolean {
    return this.sets.length > MAX_PLACES || this.#parts > MAX_PARTS;
  }

  add(node: PatternNode): Fragment {
    this.#parts += 1;
    if (this.isTooLarge) return EMPTY;
    switch (node.kind) {
      case 'characters':
        return this.#place(node.set);
      case 'sequence':
        return node.parts.map((part) => () => this.add(part)).reduce((before, part) => this.#join(before, part()), EMPTY);
      case 'choice':
        return either(node.parts.map((part) => this.add(part)));
      case 'repeat':
        return this.#repeat(node.part, node.min, node.max);
    }
  }

  #place(set: CharacterSet): Fragment {
    const place = this.sets.push(set) - 1;
    this.next.push(new Map());
    return { isOptional: false, first: [place], last: [place] };
  }

  #join(before: Fragment, after: Fragment): Fragment {
    this.#connect(before.last, after.first);
    return {
      isOptional: before.isOptional && after.isOptional,
      first: before.isOptional ? [...before.first, ...after.first] : before.first,
      last: after.isOptional ? [...before.last, ...after.last] : after.last,
    };
  }

  #repeat(part: PatternNode, min: number, max: number): Fragment {
    if (max === 0) return EMPTY;
    if (max === Infinity || max > MAX_WRITTEN_OUT) return this.#endless(part, min);
    return this.#written(part, min, max);
  }

  /** The least number in full, the last one of them again and again. */
  #endless(part: PatternNode, min: number): Fragment {
    const written = min <= MAX_WRITTEN_OUT ? min : 1;
    let before = EMPTY;
    for (let index = 1; index < written; index += 1) before = this.#join(before, this.add(part));
    const loop = this.add(part);
    this.#connect(loop.last, loop.first);
    return this.#join(before, { ...loop, isOptional: loop.isOptional || min === 0 });
  }

  /** x{1,3} as x(x(x)?)?, which is how it is matched. */
  #written(part: PatternNode, min: number, max: number): Fragment {
    const head = this.add(part);
    const rest = max > 1 ? this.#written(part, Math.max(0, min - 1), max - 1) : EMPTY;
    const whole = this.#join(head, rest);
    return { ...whole, isOptional: whole.isOptional || min === 0 };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    this.#parts += from.length * to.length;
    if (this.isTooLarge) return;
    for (const start of from) {
      const next = this.next[start];
      for (const end of to) next?.set(end, (next.get(end) ?? 0) + 1);
    }
  }
}

function either(fragments: readonly Fragment[]): Fragment {
  return {
    isOptional: fragments.some(({ isOptional }) => isOptional),
    first: fragments.flatMap(({ first }) => first),
    last: fragments.flatMap(({ last }) => last),
  };
}
