import { textOf } from '../call/content.ts';
import type { Content, ResourceContents } from '../call/content.ts';
import type { Truncated } from './call-report.ts';
import { wholeCharacters } from './result-store.ts';
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
export function limitContent(
  content: readonly Content[],
  limit: number,
  store: Pick<ResultStore, 'keep'>,
): LimitedContent {
  let total = 0;
  for (const piece of content) total += textLength(piece);
  if (total <= limit) return { content };
  const { first, room } = firstToCut(content, limit);
  const text = content
    .slice(first)
    .flatMap((piece) => textIn(piece) ?? [])
    .join('\n');
  const length = shownCharacters(room);
  if (text.length <= length) return { content };
  const handle = store.keep(text);
  const shortened = { type: 'text', text: shorten(text, length, handle) } as const;
  const kept = [...content.slice(0, first), shortened, ...withoutText(content.slice(first), handle)];
  return { content: kept, truncated: { handle, totalCharacters: text.length } };
}

/** How much of a text is shown where there is room for this much. */
export function shownCharacters(room: number): number {
  return Math.max(room, MIN_SHOWN);
}

/** The text of a failure is its message, too. */
export function limitMessage(message: string, { content, truncated }: LimitedContent, limit: number): string {
  return truncated && message.length > limit ? textOf(content) : message;
}

function firstToCut(content: readonly Content[], limit: number): { readonly first: number; readonly room: number } {
  let room = limit;
  for (const [index, piece] of content.entries()) {
    const length = textLength(piece);
    if (length > room) return { first: index, room };
    room -= length;
  }
  return { first: content.length, room };
}

/** What stays of pieces whose text was moved: other kinds whole, and of a resource all but its text. */
function withoutText(pieces: readonly Content[], handle: string): readonly Content[] {
  let offset = 0;
  return pieces.flatMap((piece): Content | [] => {
    const text = textIn(piece);
    if (text === undefined) return piece;
    const where = `[Its text is in ${handle}, ${text.length} characters from offset ${offset}.]`;
    offset += text.length + 1;
    if (piece.type !== 'resource') return [];
    return { ...piece, resource: { ...(piece['resource'] as ResourceContents), text: where } };
  });
}

function shorten(text: string, length: number, handle: string): string {
  const headEnd = wholeCharacters(text, length - Math.floor(length * TAIL_SHARE));
  const tailStart = wholeCharacters(text, text.length - Math.floor(length * TAIL_SHARE));
  const how = `read_result {"handle": "${handle}", "offset": ${headEnd}}`;
  const notice = `[… ${tailStart - headEnd} of ${text.length} characters are left out here; read on with ${how} …]`;
  // Joined, because a slice that is put into a template keeps the whole text in memory.
  return [text.slice(0, headEnd), notice, text.slice(tailStart)].join('\n');
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
