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
  for (const { index, 0: end } of text.matchAll(SENTENCE_END)) {
    const after = index + end.length;
    if (after > MIN_SENTENCE || /[。！？]/.test(end)) return { first: text.slice(0, after), rest: text.slice(after) };
  }
  return { first: text, rest: '' };
}

/** What a tool does in one line. */
export function oneLine(description: string): string {
  const line = splitDescription(description).first.replaceAll(/\s+/g, ' ').trim();
  return line.length > ONE_LINE_LENGTH ? `${line.slice(0, ONE_LINE_LENGTH - 1).trimEnd()}…` : line;
}
