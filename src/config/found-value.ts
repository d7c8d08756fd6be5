import type { FieldPath } from './config-problem.ts';
import { replaceTextSecrets } from './secret-shapes.ts';

const MAX_SHOWN = 40;
// What stands under these may be a secret, or hold one.
const PRIVATE_FIELDS: ReadonlySet<string> = new Set(['env', 'headers', 'oauth', 'args', 'command', 'url']);

/** What was found at a place, in words that show no secret. */
export function describeFound(value: unknown, path: FieldPath): string {
  // A whole entry that is text was meant as something else: a command line, or the lines of a .env.
  const isPrivate = path.length === 0 || path.some((step) => typeof step === 'string' && PRIVATE_FIELDS.has(step));
  if (value === undefined) return 'nothing';
  if (value === null) return 'an empty value';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return isPrivate ? 'text' : quote(replaceTextSecrets(value, () => '***'));
  if (typeof value === 'number' || typeof value === 'boolean') return isPrivate ? `a ${typeof value}` : String(value);
  return 'a map';
}

/** A text from a file as messages show it. */
export function quote(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return JSON.stringify(shown);
}

/** Whether a value is a map, as opposed to a list or a scalar. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
