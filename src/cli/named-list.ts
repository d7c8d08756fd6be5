import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';
import { oneLine } from './printable.ts';

/** A name and one line about it. */
export interface NamedLine {
  readonly name: string;
  readonly text: string;
  readonly style?: (text: string) => string;
}

export interface NamedListOptions {
  readonly width: number;
}

const INDENT = '  ';
const GAP = '  ';
// Narrower than this a description says nothing; it gets a line of its own.
const MIN_TEXT_WIDTH = 24;

/** Names in full, so that they can be copied, and as much of each text as fits beside them. */
export function renderNamedList(lines: readonly NamedLine[], { width }: NamedListOptions): readonly string[] {
  const named = lines.map((line) => ({ ...line, name: oneLine(line.name), text: oneLine(line.text) }));
  const limit = Math.max(0, width - INDENT.length - GAP.length - MIN_TEXT_WIDTH);
  const column = Math.min(limit, Math.max(0, ...named.map(({ name }) => displayWidth(name))));
  return named.flatMap(({ name, text, style = asIs }) => {
    if (text === '') return [style(INDENT + name)];
    if (displayWidth(name) > column) {
      const below = cutToWidth(text, width - INDENT.length * 2);
      return [style(INDENT + name), style(INDENT + INDENT + below)];
    }
    const head = INDENT + padToWidth(name, column) + GAP;
    return [style(head + cutToWidth(text, width - displayWidth(head)))];
  });
}

function asIs(text: string): string {
  return text;
}
