import { McpError } from '../errors.ts';

/** Refuses a list that holds anything but text; from plain JavaScript anything may come. */
export function requireTextList(field: string, values: readonly string[]): void {
  if (!Array.isArray(values)) throw notText(field, 'a list of texts', values);
  for (const [index, value] of values.entries()) requireText(`${field}[${index}]`, value);
}

/** Refuses a map that holds anything but text, as where a variable of the environment is not set. */
export function requireTextMap(field: string, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) requireText(`${field}.${name}`, value);
}

function requireText(field: string, value: unknown): void {
  if (typeof value !== 'string') throw notText(field, 'text', value);
}

// A value may be a secret, so only its type is told.
function notText(field: string, wanted: string, value: unknown): McpError {
  const hint = value === undefined ? "; '${NAME}' is looked up when the server is started" : '';
  return new McpError(
    'SERVER_INVALID',
    `${field} must be ${wanted}, not ${value === null ? 'null' : typeof value}${hint}`,
  );
}
