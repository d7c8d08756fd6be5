/** Characters as sorted, separate ranges of code points. */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

const LAST = 0x10_ff_ff;

export const ANY: CharacterSet = [[0, LAST]];
export const DIGITS: CharacterSet = [[0x30, 0x39]];
export const WORDS: CharacterSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
export const SPACES: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];

export function union(sets: readonly CharacterSet[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [from, to] of sets.flat().toSorted(([left], [right]) => left - right)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of union([set])) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

/** The characters in both. */
export function intersection(left: CharacterSet, right: CharacterSet): CharacterSet {
  const shared: [number, number][] = [];
  for (const [from, to] of left) {
    for (const [otherFrom, otherTo] of right) {
      if (from <= otherTo && otherFrom <= to) shared.push([Math.max(from, otherFrom), Math.min(to, otherTo)]);
    }
  }
  return shared;
}
