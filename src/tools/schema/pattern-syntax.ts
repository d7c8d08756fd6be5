import { ANY, complement, DIGITS, SPACES, union, WORDS } from './character-set.ts';
import type { CharacterSet } from './character-set.ts';

/** What a regular expression consists of, as far as it decides how much work a match can take. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

const NOTHING: PatternNode = { kind: 'sequence', parts: [] };
const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };
const QUANTIFIER = /[*+?]|\{(?<min>\d+)(?<comma>,(?<max>\d*))?\}/y;
const CODE = /x(?<two>[\da-f]{2})|u(?<four>[\da-f]{4})|u\{(?<any>[\da-f]+)\}|c(?<control>[a-z])/iy;
const PROPERTY = /[pP]\{[^}]*\}/y;
const GROUP_START = /\?(?:[:=!]|<[=!]|<[^>]*>)/y;
const BACKREFERENCE = /k<[^>]*>|[1-9]\d*/y;

const MAX_NESTING = 60;

/** Reads a regular expression that the language has already accepted; undefined if its groups nest too deep. */
export function parsePattern(source: string): PatternNode | undefined {
  const parser = new PatternParser(source);
  const pattern = parser.choice();
  return parser.isTooDeep ? undefined : pattern;
}

/** Whatever it cannot tell, it takes to be worse. */
class PatternParser {
  isTooDeep = false;
  readonly #source: string;
  #at = 0;
  #nesting = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] ?? NOTHING) : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) parts.push(this.#quantified());
    return { kind: 'sequence', parts };
  }

  #quantified(): PatternNode {
    const part = this.#atom();
    const quantifier = this.#match(QUANTIFIER);
    if (quantifier === undefined) return part;
    this.#take('?');
    const { min = '', comma, max = '' } = quantifier.groups ?? {};
    if (min === '') return { kind: 'repeat', part, min: quantifier[0] === '+' ? 1 : 0, max: quantifier[0] === '?' ? 1 : Infinity };
    const least = Number(min);
    if (comma === undefined) return { kind: 'repeat', part, min: least, max: least };
    return { kind: 'repeat', part, min: least, max: max === '' ? Infinity : Number(max) };
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '(') return this.#group();
    if (character === '[') return { kind: 'characters', set: this.#class() };
    if (character === '.') return { kind: 'characters', set: ANY };
    if (character === '^' || character === '$') return NOTHING;
    if (character === '\\') return this.#escape();
    return single(character.codePointAt(0) ?? 0);
  }

  #group(): PatternNode {
    const start = this.#match(GROUP_START)?.[0] ?? '';
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      this.isTooDeep = true;
      this.#at = this.#source.length;
    }
    const inside = this.choice();
    this.#nesting -= 1;
    this.#take(')');
    // What only looks ahead or behind consumes nothing, but it is matched all the same.
    return /^\?<?[=!]/.test(start) ? { kind: 'choice', parts: [inside, NOTHING] } : inside;
  }

  #escape(): PatternNode {
    if (this.#sees('b') || this.#sees('B')) {
      this.#next();
      return NOTHING;
    }
    if (this.#match(BACKREFERENCE)) return { kind: 'repeat', part: { kind: 'characters', set: ANY }, min: 0, max: Infinity };
    return { kind: 'characters', set: this.#escapedSet() };
  }

  #escapedSet(): CharacterSet {
    if (this.#match(PROPERTY)) return ANY;
    const code = this.#match(CODE)?.groups;
    if (code?.['control'] !== undefined) return point((code['control'].codePointAt(0) ?? 0) % 32);
    if (code !== undefined) return point(Number.parseInt(code['two'] ?? code['four'] ?? code['any'] ?? '0', 16));
    const character = this.#next();
    return CLASSES[character] ?? point(CONTROLS[character] ?? character.codePointAt(0) ?? 0);
  }

  #class(): CharacterSet {
    const isNegated = this.#take('^');
    const sets: CharacterSet[] = [];
    while (this.#at < this.#source.length && !this.#sees(']')) {
      const from = this.#classItem();
      const isRange = this.#sees('-') && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        sets.push(from);
        continue;
      }
      this.#next();
      const to = this.#classItem();
      sets.push(between(from, to));
    }
    this.#take(']');
    return isNegated ? complement(union(sets)) : union(sets);
  }

  #classItem(): CharacterSet {
    const character = this.#next();
    if (character !== '\\') return point(character.codePointAt(0) ?? 0);
    return this.#take('b') ? point(8) : this.#escapedSet();
  }

  #next(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #sees(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#at += 1;
    return true;
  }

  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source);
    if (found === null) return undefined;
    this.#at = sticky.lastIndex;
    return found;
  }
}

function single(code: number): PatternNode {
  return { kind: 'characters', set: point(code) };
}

function point(code: number): CharacterSet {
  return [[code, code]];
}

/** A range of a class; with a whole class at one end the `-` stands for itself. */
function between(from: CharacterSet, to: CharacterSet): CharacterSet {
  const [start, end] = [from[0], to[0]];
  const isPlain = from.length === 1 && to.length === 1 && start?.[0] === start?.[1] && end?.[0] === end?.[1];
  if (isPlain && start !== undefined && end !== undefined) return [[start[0], end[1]]];
  return union([from, to, point(0x2d)]);
}
