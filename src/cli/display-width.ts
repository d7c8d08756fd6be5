// Scripts and symbols whose characters fill two cells of a terminal.
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6])|\uFE0F/u;
const NARROW_ONLY = /^[\u0020-\u007E]*$/;
const ELLIPSIS = '…';

/** How many cells of a terminal a text without control characters fills. */
export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const character of characters(text)) width += cellsOf(character);
  return width;
}

/** The text, or as much of its beginning as fits with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of characters(text)) {
    used += cellsOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return width < 1 ? '' : kept.trimEnd() + ELLIPSIS;
}

export function padToWidth(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + gap : gap + text;
}

/** The text in lines of at most this width, broken between words where that is possible. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => splitToWidth(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** A word that is wider than a line, in pieces that are not. */
function splitToWidth(word: string, width: number): readonly string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of characters(word)) {
    if (piece !== '' && displayWidth(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** What a person sees as one character, however many code points it has. */
function characters(text: string): readonly string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
}

function cellsOf(character: string): number {
  if (/^\p{M}*$/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
