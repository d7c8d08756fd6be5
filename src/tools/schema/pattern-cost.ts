import { intersection } from './character-set.ts';
import type { PatternAutomaton } from './pattern-automaton.ts';
import { findLoops, reach } from './pattern-loops.ts';
import type { Loop } from './pattern-loops.ts';

/** How the work of a match grows with the length of the text. */
export interface PatternCost {
  /** With this power of it; undefined for what grows beyond every power, or could not be settled. */
  readonly degree: number | undefined;
  /** What it took to find out. */
  readonly work: number;
}

const MAX_WAYS = 10_000;
const MAX_WORK = 100_000;

/** Judges by ambiguity: what can be matched in many ways is tried in all of them before it fails. */
export function patternCost(automaton: PatternAutomaton, maxWork: number = MAX_WORK): PatternCost {
  const analysis = new PatternAnalysis(automaton, Math.min(maxWork, MAX_WORK));
  const degree = analysis.degree();
  return { degree: analysis.isExhausted ? undefined : degree, work: analysis.work };
}

class PatternAnalysis {
  readonly #automaton: PatternAutomaton;
  readonly #size: number;
  readonly #maxWork: number;
  work = 0;

  constructor(automaton: PatternAutomaton, maxWork: number) {
    this.#automaton = automaton;
    this.#size = automaton.sets.length;
    this.#maxWork = maxWork;
  }

  /** Whether the analysis itself became too much work. */
  get isExhausted(): boolean {
    return this.work >= this.#maxWork;
  }

  /** The power of the cost; undefined if there is none. */
  degree(): number | undefined {
    const loops = findLoops(this.#automaton);
    if (loops.some((loop) => this.#isAmbiguous(loop)) || this.#ways(loops) > MAX_WAYS) return undefined;
    return this.#longestChain(loops);
  }

  /** Whether one text can go around a loop in two ways: then each round doubles the ways. */
  #isAmbiguous(loop: Loop): boolean {
    for (const place of loop) {
      for (const [to, ways] of this.#automaton.next[place] ?? []) if (ways > 1 && loop.has(to)) return true;
    }
    const back = new Map<number, number[]>();
    const same = [...loop].map((place) => place * this.#size + place);
    const pairs = reach(same, (pair) => {
      const following = this.#pairsAfter(pair, loop);
      for (const to of following) back.set(to, [...(back.get(to) ?? []), pair]);
      return following;
    });
    const returning = reach(same, (pair) => back.get(pair) ?? []);
    return [...pairs].some((pair) => Math.floor(pair / this.#size) !== pair % this.#size && returning.has(pair));
  }

  #pairsAfter(pair: number, loop: Loop): readonly number[] {
    const [left, right] = [Math.floor(pair / this.#size), pair % this.#size];
    return this.#within(left, loop).flatMap((one) =>
      this.#within(right, loop)
        .filter((other) => this.#overlap([one, other]))
        .map((other) => one * this.#size + other),
    );
  }

  /** In how many ways one text can pass through the places outside of loops, at most. */
  #ways(loops: readonly Loop[]): number {
    const known = new Map<number, number>();
    const loopOf = new Map(loops.flatMap((loop) => [...loop].map((place) => [place, loop] as const)));
    const waysFrom = (places: Iterable<readonly [number, number]>): number => {
      const ahead = [...places].map(([place, ways]) => ({ place, ways: ways * after(place) }));
      let most = 1;
      for (const { place } of ahead) {
        const together = ahead.filter((other) => this.#overlap([place, other.place]));
        most = Math.max(most, together.reduce((sum, { ways }) => sum + ways, 0));
      }
      return most;
    };
    const after = (place: number): number => {
      const settled = known.get(place);
      if (settled !== undefined || this.isExhausted) return settled ?? 1;
      // Around a loop the ways were counted already; what leaves it counts once.
      known.set(place, 1);
      const loop = loopOf.get(place);
      const ways = waysFrom([...(this.#automaton.next[place] ?? [])].filter(([to]) => !loop?.has(to)));
      known.set(place, ways);
      return ways;
    };
    return waysFrom(this.#automaton.first.map((place) => [place, 1] as const));
  }

  /** The most loops in a row that can share one text among them in many ways; one loop alone counts as one. */
  #longestChain(loops: readonly Loop[]): number {
    const lengths = new Map<Loop, number>();
    const lengthFrom = (loop: Loop): number => {
      const known = lengths.get(loop);
      if (known !== undefined) return known;
      const followers = loops.filter((other) => other !== loop && this.#shareText(loop, other));
      const length = 1 + Math.max(0, ...followers.map(lengthFrom));
      lengths.set(loop, length);
      return length;
    };
    return Math.max(0, ...loops.map(lengthFrom));
  }

  /** Whether some text can stay in the first loop, stay in the second, and lead from the one to the other. */
  #shareText(first: Loop, second: Loop): boolean {
    for (const start of first) {
      for (const end of second) {
        const found = reach([this.#triple(start, start, end)], (key) => this.#triplesAfter(key, first, second));
        if (found.has(this.#triple(start, end, end))) return true;
      }
    }
    return false;
  }

  #triplesAfter(key: number, first: Loop, second: Loop): readonly number[] {
    if (this.isExhausted) return [];
    const [left, middle, right] = [
      Math.floor(key / this.#size / this.#size),
      Math.floor(key / this.#size) % this.#size,
      key % this.#size,
    ];
    const middles = [...(this.#automaton.next[middle]?.keys() ?? [])];
    return this.#within(left, first).flatMap((one) =>
      this.#within(right, second).flatMap((three) =>
        middles.filter((two) => this.#overlap([one, two, three])).map((two) => this.#triple(one, two, three)),
      ),
    );
  }

  #triple(one: number, two: number, three: number): number {
    return (one * this.#size + two) * this.#size + three;
  }

  #within(place: number, loop: Loop): readonly number[] {
    if (this.isExhausted) return [];
    return [...(this.#automaton.next[place]?.keys() ?? [])].filter((to) => loop.has(to));
  }

  /** Whether one character fits all these places. */
  #overlap(places: readonly [number, ...number[]]): boolean {
    if (this.isExhausted) return false;
    const { sets } = this.#automaton;
    let shared = sets[places[0]] ?? [];
    for (let index = 1; index < places.length; index += 1) {
      const set = sets[places[index] ?? 0] ?? [];
      this.work += 1 + shared.length * set.length;
      shared = intersection(shared, set);
    }
    return shared.length > 0;
  }
}
