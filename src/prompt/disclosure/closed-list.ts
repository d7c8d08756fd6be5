import { wholeCharacters } from '../../bridge/result-store.ts';
import type { ClosedOutline } from './closed-outline.ts';

/** How long the list of closed sections may get, in characters: tokens are not counted while rendering. */
export interface ClosedListLimits {
  readonly line: number;
  readonly list: number;
}

// About 50 tokens a line; names of tools have fewer characters per token than prose.
export const DEFAULT_LIST_LIMITS: ClosedListLimits = { line: 240, list: 12_000 };

const MAX_NAMES = 12;
const CUT_MARK = ', …';
const PURPOSE_SHARE = 0.3;
// Below this a line has no room for names, and sections are better told by their keys alone.
const SHORTEST_LINE = 45;

const NOTE = `Closed sections, by key. Call \`open_sections\` with keys (several at once) to get their tools; \`search_tools\` finds tools in all of them.`;
const READ_NOTE = 'Those marked (text) have no tools: `read_section` shows them.';

/** One block for all closed sections without a summary of their author's: a line each, or rolled up by parent where that is too long. */
export function renderClosedList(outlines: readonly ClosedOutline[], limits: ClosedListLimits): string {
  if (outlines.length === 0) return '';
  const note = outlines.some(({ mayOfferTools }) => !mayOfferTools) ? `${NOTE} ${READ_NOTE}` : NOTE;
  return [note, ...linesOf(outlines, limits)].join('\n');
}

function linesOf(outlines: readonly ClosedOutline[], { line, list }: ClosedListLimits): readonly string[] {
  const lines = outlines.map((outline) => lineOf(outline, line));
  if (lengthOf(lines) <= list) return lines;
  const share = Math.floor(list / outlines.length);
  if (share >= SHORTEST_LINE) return outlines.map((outline) => lineOf(outline, share));
  return rolledUp(outlines, list);
}

/** `- git: Git. Reads repositories. 12 tools: git_diff, git_log, …` */
export function lineOf(outline: ClosedOutline, limit: number): string {
  const { path, tools, hasUnknown, mayOfferTools } = outline;
  if (!mayOfferTools) return cut(`- ${path} (text): ${outline.title}`, limit);
  const about = aboutOf(outline, limit * PURPOSE_SHARE);
  const head = `- ${path}:${about === '' ? '' : ` ${about}`}`;
  if (tools.length === 0) return `${head} ${hasUnknown ? 'tools unknown until opened' : 'no tools'}`;
  const tail = hasUnknown ? '; more unknown until opened' : '';
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const names = fitting(tools, {
    room: limit - head.length - count.length - tail.length - 3 - CUT_MARK.length,
    most: MAX_NAMES,
  });
  return `${head} ${count}${names === '' ? '' : `: ${names}`}${tail}`;
}

function aboutOf({ title, key, purpose }: ClosedOutline, limit: number): string {
  // A title that says what the key says is not said twice.
  const isNamed = plain(title) === plain(key);
  const parts = [isNamed ? '' : title, firstWords(purpose)].filter((part) => part !== '');
  const text = cut(parts.join(', ').replaceAll(/\s+/g, ' '), limit);
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Up to the end of the first sentence. */
function firstWords(purpose: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(purpose)?.[0] ?? purpose;
}

function rolledUp(outlines: readonly ClosedOutline[], limit: number): readonly string[] {
  const byParent = new Map<string, ClosedOutline[]>();
  for (const outline of outlines) {
    const parent = outline.path.slice(0, -outline.key.length);
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(outline);
    else byParent.set(parent, [outline]);
  }
  const share = Math.max(SHORTEST_LINE, Math.floor(limit / byParent.size));
  const groups = [...byParent].map(([parent, siblings]) => groupLine(parent, siblings, share));
  return withinLimit(groups, limit);
}

/** `- tools.…: 40 sections, 312 tools: git, github, …` */
function groupLine(parent: string, siblings: readonly ClosedOutline[], limit: number): string {
  const only = siblings.length === 1 ? siblings[0] : undefined;
  if (only) return lineOf(only, limit);
  const tools = siblings.reduce((sum, outline) => sum + outline.tools.length, 0);
  const head = `- ${parent === '' ? '' : `${parent}…: `}${siblings.length} sections${tools > 0 ? `, ${tools} tools` : ''}`;
  const keys = siblings.map(({ key }) => key);
  const names = fitting(keys, { room: limit - head.length - 2 - CUT_MARK.length - 1, most: keys.length });
  return `${head}: ${names}`;
}

/** What does not fit is found by searching. */
function withinLimit(lines: readonly string[], limit: number): readonly string[] {
  let length = 0;
  const kept = lines.filter((line) => (length += line.length + 1) <= limit);
  const dropped = lines.length - kept.length;
  return dropped === 0 ? kept : [...kept, `- and ${dropped} groups more; \`search_tools\` finds what is in them`];
}

function fitting(names: readonly string[], { room, most }: { readonly room: number; readonly most: number }): string {
  let text = '';
  let count = 0;
  for (const name of names.slice(0, most)) {
    const longer = text === '' ? name : `${text}, ${name}`;
    if (longer.length > room) break;
    text = longer;
    count += 1;
  }
  return count === names.length || text === '' ? text : `${text}${CUT_MARK}`;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, wholeCharacters(text, Math.max(0, Math.floor(limit) - 1))).trimEnd()}…`;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
