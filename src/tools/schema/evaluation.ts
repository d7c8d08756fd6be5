import { describeFound } from './describe-value.ts';
import type { SchemaProblem, ValuePath } from './schema-check.ts';
import type { Resource } from './schema-resources.ts';

/** Which parts of one value some keyword has already judged; needed by the `unevaluated` keywords only. */
export class Judged {
  readonly #keys = new Set<string>();
  readonly #positions = new Set<number>();
  #isWhole = false;

  /** Every property or every item is judged. */
  addAll(): void {
    this.#isWhole = true;
  }

  addKey(key: string): void {
    this.#keys.add(key);
  }

  addPosition(position: number): void {
    this.#positions.add(position);
  }

  addFrom(other: Judged): void {
    this.#isWhole ||= other.#isWhole;
    for (const key of other.#keys) this.#keys.add(key);
    for (const position of other.#positions) this.#positions.add(position);
  }

  has(part: string | number): boolean {
    return this.#isWhole || (typeof part === 'string' ? this.#keys.has(part) : this.#positions.has(part));
  }
}

/** Judges one value; tells the run what is wrong, and `judged` what it has looked at. */
export type Rule = (value: unknown, run: Run, judged: Judged | undefined) => boolean;

// A long list of wrong items must not become a long list of problems.
const MAX_PROBLEMS = 50;

// What takes about as long as applying one subschema.
const GLANCES_IN_A_STEP = 2;

/** What became of a rule that was only tried. */
export interface Attempt {
  readonly isValid: boolean;
  readonly problems: readonly SchemaProblem[];
}

/** Thrown when a value would cost more than the limits allow. */
export class TooCostly extends Error {}

interface RunLimits {
  readonly maxSteps: number;
  readonly maxNesting: number;
}

/** The judging of one value: where it is, what it has cost, what it found. */
export class Run {
  /** The resources entered so far, outermost first: what dynamic references look through. */
  readonly scope: Resource[] = [];
  readonly #path: (string | number)[] = [];
  readonly #limits: RunLimits;
  #problems: SchemaProblem[] | undefined;
  #more = 0;
  #steps = 0;
  #described: Map<unknown, string> | undefined;
  #nesting = 0;

  constructor(limits: RunLimits, mode: 'verdict' | 'explain') {
    this.#limits = limits;
    this.#problems = mode === 'explain' ? [] : undefined;
  }

  /** Whether every problem is wanted, not only the verdict. */
  get explains(): boolean {
    return this.#problems !== undefined;
  }

  get problems(): readonly SchemaProblem[] {
    return this.#problems ?? [];
  }

  /** How many problems were found beyond those that are kept. */
  get more(): number {
    return this.#more;
  }

  get path(): ValuePath {
    return [...this.#path];
  }

  /** Notes a problem at the current place; the message is made only if somebody will read it. */
  fail(keyword: string, message: () => string): false {
    if (this.#problems === undefined) return false;
    if (this.#problems.length >= MAX_PROBLEMS) this.#more += 1;
    else this.#problems.push({ path: this.path, keyword, message: message() });
    return false;
  }

  add(problems: readonly SchemaProblem[]): void {
    this.#problems?.push(...problems);
  }

  /** What came, in words; one value may be held against thousands of forms, and counting its parts takes time. */
  describe(value: unknown): string {
    const known = this.#described?.get(value);
    if (known !== undefined) return known;
    const described = describeFound(value);
    (this.#described ??= new Map()).set(value, described);
    return described;
  }

  /** Applies a rule to a part of the value. */
  inside(part: string | number, value: unknown, rule: Rule): boolean {
    this.spend(1);
    // Nobody asks where, as long as nobody explains.
    if (this.#problems === undefined) return rule(value, this, undefined);
    this.#path.push(part);
    const isValid = rule(value, this, undefined);
    this.#path.pop();
    return isValid;
  }

  /** Notes a problem with a part of the value. */
  failInside(part: string | number, keyword: string, message: () => string): false {
    if (this.#problems === undefined) return false;
    this.#path.push(part);
    this.fail(keyword, message);
    this.#path.pop();
    return false;
  }

  /** Applies a rule and keeps its problems apart, for those who try several. */
  aside(judge: () => boolean): Attempt {
    const outer = this.#problems;
    if (outer === undefined) return { isValid: judge(), problems: [] };
    this.#problems = [];
    const isValid = judge();
    const { problems } = this;
    this.#problems = outer;
    return { isValid, problems };
  }

  enter(): void {
    this.#nesting += 1;
    if (this.#nesting > this.#limits.maxNesting) throw new TooCostly();
    this.spend(1);
  }

  /** Counts work; beyond the limit the value is given up. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#limits.maxSteps) throw new TooCostly();
  }

  /** Counts a look at each of many small things. */
  glance(things: number): void {
    this.spend(things / GLANCES_IN_A_STEP);
  }

  leave(): void {
    this.#nesting -= 1;
  }
}
