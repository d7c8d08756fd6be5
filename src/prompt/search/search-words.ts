// Bounds what one text of a server's or a model's making can cost.
const MAX_TEXT_LENGTH = 20_000;
const MAX_WORD_LENGTH = 64;
const MIN_LETTERS = 3;

// `parseJSONFile` is three words; so is `S3 bucket_name`.
const ASCII_WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+/g;
const NOT_ASCII = /[^\0-\u007F]/;
const OTHER_LETTER = /(?=[^\0-\u007F])[\p{L}\p{N}\p{M}]/u;
const CASE_CHANGE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
// Scripts that do not put spaces between words, or that glue particles to them.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** The words of a text in lower case: names are split at case changes and signs, unspaced scripts into characters and pairs. */
export function searchWords(text: string): readonly string[] {
  return rawWords(text).flatMap(wordForms);
}

/** The pieces of a text that are words, as they are written; `wordForms` makes them comparable. */
export function rawWords(text: string): readonly string[] {
  const bounded = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  const isOther = !isAscii(bounded) && OTHER_LETTER.test(bounded);
  return isOther ? anyWords(bounded) : asciiWords(bounded);
}

/** The words of a text in which only ASCII letters and digits count. By a pattern: a loop takes longer until it is compiled. */
export function asciiWords(text: string): readonly string[] {
  return text.match(ASCII_WORD) ?? [];
}

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** A word in lower case; `context7` is found as itself and as `context`. */
export function wordForms(raw: string): readonly string[] {
  const word = raw.slice(0, MAX_WORD_LENGTH).toLowerCase();
  if (!/\d/.test(word)) return [word];
  return [word, ...(word.match(/[a-z]+/g) ?? []).filter((letters) => letters.length >= MIN_LETTERS)];
}

function anyWords(text: string): readonly string[] {
  const plain = withoutAccents(text).replaceAll(CASE_CHANGE, ' ').toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((run) => (OTHER_LETTER.test(run) ? piecesOf(run) : [run]));
}

/** `café` and `cafe` are one word; marks that make other letters in other scripts stay. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC');
}

function piecesOf(run: string): readonly string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > end) pieces.push(run.slice(end, match.index));
    pieces.push(...charactersAndPairs(match[0]));
    end = match.index + match[0].length;
  }
  if (end < run.length) pieces.push(run.slice(end));
  return pieces;
}

function charactersAndPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
  return [...characters, ...pairs];
}
