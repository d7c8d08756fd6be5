import { wholeCharacters } from '../../bridge/result-store.ts';

/** A description as its first sentence and the rest. */
export interface SplitDescription {
  readonly first: string;
  readonly rest: string;
}

const MIN_SENTENCE = 15;
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]|\n\s*\n/g;
const ONE_LINE_LENGTH = 200;

/** Splits after the first sentence that is long enough to say something. */
export function splitDescription(description: string): SplitDescription {
  const text = description.trim();
  const ends = new RegExp(SENTENCE_END);
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    const after = ends.lastIndex;
    if (after > MIN_SENTENCE || isFullStop(end[0])) return { first: text.slice(0, after), rest: text.slice(after) };
  }
  return { first: text, rest: '' };
}

/** Scripts without spaces say more in fewer characters. */
function isFullStop(end: string): boolean {
  return end === '。' || end === '！' || end === '？';
}

/** What a tool does in one line. */
export function oneLine(description: string): string {
  const line = splitDescription(description).first.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= ONE_LINE_LENGTH) return line;
  return `${line.slice(0, wholeCharacters(line, ONE_LINE_LENGTH - 1)).trimEnd()}…`;
}
