import { stripHidden } from '../hidden-characters.ts';
import type { SchemaProblem, SchemaVerdict, ValuePath } from './schema-check.ts';

const MAX_SHOWN = 5;
const MAX_MESSAGE = 280;
const MAX_STEP = 40;
const MAX_PATH = 120;

/** What is wrong with a value, one line for each problem and never many; empty if nothing is. */
export function describeProblems(verdict: SchemaVerdict): string {
  if (verdict.valid) return '';
  const shown = verdict.problems.slice(0, MAX_SHOWN).map(lineOf);
  const more = verdict.problems.length - shown.length + verdict.more;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') || 'it does not fit the schema';
}

/** A place in a value as it would be written in code: `filters[2].name`. */
export function describePath(path: ValuePath): string {
  const text = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    const name = cut(stripHidden(step.slice(0, 4 * MAX_STEP)), MAX_STEP);
    if (!/^[\w$-]+$/.test(name)) return `${before}[${JSON.stringify(name)}]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
  // The end says more than the beginning.
  return text.length > MAX_PATH ? `…${text.slice(1 - MAX_PATH)}` : text;
}

function lineOf({ path, message }: SchemaProblem): string {
  const place = describePath(path);
  return `${place === '' ? 'the whole value' : place}: ${cut(message, MAX_MESSAGE)}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
