/** The candidate that was probably meant, if one is near enough to say so. */
export function closestWord(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = comparable(word);
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, comparable(candidate));
    if (distance <= tolerance(wanted) && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate ?? longestBeginning(wanted, candidates);
}

// Many short words begin another one by chance.
const MIN_BEGINNING = 3;

/** Whoever writes `environment` may mean `env`. */
function longestBeginning(word: string, candidates: Iterable<string>): string | undefined {
  const beginnings = [...candidates].filter(
    (candidate) => candidate.length >= MIN_BEGINNING && word.startsWith(comparable(candidate)),
  );
  return beginnings.toSorted((left, right) => right.length - left.length)[0];
}

// Longer words are not compared: the table would grow with what a file says.
const MAX_LENGTH = 64;

function comparable(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
    .slice(0, MAX_LENGTH);
}

function tolerance(word: string): number {
  return word.length < 5 ? 1 : 2;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let distance = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + cost);
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) distance = Math.min(distance, at(before, column - 2) + 1);
      current.push(distance);
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
