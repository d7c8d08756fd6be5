import type { Content } from '../call/content.ts';
import type { Truncated } from './call-report.ts';
import type { ResultStore } from './result-store.ts';

// About 25,000 tokens of English text; no tokenizer runs on the path of a call.
export const DEFAULT_RESULT_CHARACTERS = 100_000;

const MIN_SHOWN = 2_000;
const TAIL_SHARE = 0.2;

/** Content that a model can bear, and what it takes to read the rest. */
export interface LimitedContent {
  readonly content: readonly Content[];
  readonly truncated?: Truncated;
}

/** Cuts text that is too long to its beginning and its end; images and other kinds stay as they are. */
export function limitContent(content: readonly Content[], limit: number, store: ResultStore): LimitedContent {
  let total = 0;
  for (const piece of content) total += textLength(piece);
  if (total <= limit) return { content };
  const kept: Content[] = [];
  const rest: string[] = [];
  let place = -1;
  let room = limit;
  for (const piece of content) {
    const text = textIn(piece);
    if (text === undefined) kept.push(piece);
    else if (rest.length === 0 && text.length <= room) {
      kept.push(piece);
      room -= text.length;
    } else {
      if (rest.length === 0) place = kept.length;
      rest.push(text);
    }
  }
  const text = rest.join('\n');
  const handle = store.keep(text);
  kept.splice(place, 0, { type: 'text', text: shorten(text, Math.max(room, MIN_SHOWN), handle) });
  return { content: kept, truncated: { handle, totalCharacters: text.length } };
}

function shorten(text: string, length: number, handle: string): string {
  const tailLength = Math.floor(length * TAIL_SHARE);
  const headLength = length - tailLength;
  const head = text.slice(0, headLength);
  const tail = text.slice(text.length - tailLength);
  const missing = text.length - headLength - tailLength;
  if (missing <= 0) return text;
  const how = `read_result {"handle": "${handle}", "offset": ${headLength}}`;
  return `${head}\n[… ${missing} of ${text.length} characters are left out here; read on with ${how} …]\n${tail}`;
}

function textIn(piece: Content): string | undefined {
  if (piece.type === 'text') return typeof piece['text'] === 'string' ? piece['text'] : undefined;
  if (piece.type !== 'resource') return undefined;
  const { text } = (piece['resource'] ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function textLength(piece: Content): number {
  return textIn(piece)?.length ?? 0;
}
