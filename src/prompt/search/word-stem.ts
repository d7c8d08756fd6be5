// Not the plural of what it looks like.
const WHOLE = new Set(['news']);
const LETTERS = /^[a-z]+$/;
const DOUBLED = 'bdfglmnprt';
// What is shorter keeps its ending, or too little of it would be left.
const MIN_LENGTH = 6;

/** The part of an English word that its forms share: `creating`, `created` and `creates` are one word to a search. */
export function wordStem(word: string): string {
  if (word.length < 4 || WHOLE.has(word) || !LETTERS.test(word)) return word;
  const whole = withoutEnding(withoutVerbEnding(singular(word)), 'er', 'or');
  const last = whole.at(-1) ?? '';
  const isDoubled = last === whole.at(-2) && DOUBLED.includes(last);
  return isDoubled || last === 'e' ? whole.slice(0, -1) : whole;
}

/** By endings and not by patterns, here and below: each word of a catalog comes here, and patterns take twice as long. */
function singular(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, word.endsWith('sses') ? -2 : -1);
}

function withoutVerbEnding(word: string): string {
  if (word.length < MIN_LENGTH) return word;
  if (word.endsWith('ation') || word.endsWith('ating')) return `${word.slice(0, -5)}ate`;
  if (word.endsWith('ated')) return `${word.slice(0, -4)}ate`;
  return withoutEnding(withoutEnding(word, 'ing', 'ing'), 'edly', 'ed');
}

function withoutEnding(word: string, one: string, other: string): string {
  if (word.length < MIN_LENGTH) return word;
  if (word.endsWith(one)) return word.slice(0, -one.length);
  return word.endsWith(other) ? word.slice(0, -other.length) : word;
}
