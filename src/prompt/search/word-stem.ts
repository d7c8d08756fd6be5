// Each rule is tried once, in this order; a rule that would leave too little of the word is skipped.
const ENDINGS: readonly (readonly [RegExp, string, number])[] = [
  [/ies$/, 'y', 4],
  [/sses$/, 'ss', 4],
  [/(?<=[^su])s$/, '', 4],
  [/(?:ations?|ating|ated)$/, 'ate', 6],
  [/ings?$/, '', 6],
  [/(?:edly|ed)$/, '', 6],
  [/(?:ers?|or)$/, '', 6],
];
// Not the plural of what it looks like.
const WHOLE = new Set(['news']);
const DOUBLED = /([bdfglmnprt])\1$/;

/** The part of an English word that its forms share: `creating`, `created` and `creates` are one word to a search. */
export function wordStem(word: string): string {
  if (word.length < 4 || WHOLE.has(word) || !/^[a-z]+$/.test(word)) return word;
  let stem = word;
  for (const [ending, replacement, minLength] of ENDINGS)
    if (stem.length >= minLength) stem = stem.replace(ending, replacement);
  return stem.replace(DOUBLED, '$1').replace(/e$/, '');
}
