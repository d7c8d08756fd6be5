import { stripHidden } from '../hidden-characters.ts';
import type { JsonObject } from '../../call/tool-ref.ts';

// Servers write whole manuals; an editor shows the beginning.
const MAX_LENGTH = 2000;
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** The comment above a declaration, with its line break; nothing where there is nothing to say. */
export function docComment(description: unknown, tag?: string): string {
  const lines = [...linesOf(description), ...(tag === undefined ? [] : [tag])];
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */\n'].join('\n');
}

/** The comment that a schema asks for. */
export function schemaComment(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  const { description, deprecated } = schema as JsonObject & { readonly deprecated?: unknown };
  return docComment(description, deprecated === true ? '@deprecated' : undefined);
}

function linesOf(description: unknown): readonly string[] {
  if (typeof description !== 'string') return [];
  const text = stripHidden(description).trim();
  if (text === '') return [];
  const shown = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(HALF_CHARACTER, '')}…`;
  // A description must not end the comment that it stands in.
  return shown
    .replaceAll('*/', String.raw`*\/`)
    .split(/[\n\u2028\u2029]/)
    .map((line) => line.trimEnd());
}
