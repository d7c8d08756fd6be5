import { McpError } from '../errors.ts';

/** What every server's name must look like (document 000). */
export const SERVER_NAME_PATTERN: RegExp = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export function isServerName(name: unknown): name is string {
  return typeof name === 'string' && SERVER_NAME_PATTERN.test(name);
}

export function requireServerName(name: unknown): asserts name is string {
  if (isServerName(name)) return;
  const shown = typeof name === 'string' ? name : JSON.stringify(name);
  throw new McpError(
    'SERVER_INVALID',
    `Invalid MCP server name '${shown}'. Must match pattern: ${SERVER_NAME_PATTERN.source}`,
  );
}

/** A valid name made from one that another program's config allows. */
export function slugServerName(original: string): string {
  const slug = original
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, MAX_LENGTH);
  return slug === '' ? 'server' : slug;
}

/** A valid name for each of a file's names: valid ones stay, the others are slugged, and numbered on collision. */
export function slugServerNames(originals: readonly string[]): ReadonlyMap<string, string> {
  const slugs = new Map(originals.filter(isServerName).map((name) => [name, name]));
  const taken = new Set(slugs.values());
  for (const original of originals) {
    if (slugs.has(original)) continue;
    const slug = untaken(slugServerName(original), taken);
    slugs.set(original, slug);
    taken.add(slug);
  }
  return slugs;
}

const MAX_LENGTH = 64;

function untaken(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = slug; ; number += 1) {
    if (!taken.has(candidate)) return candidate;
    const suffix = `-${number}`;
    candidate = slug.slice(0, MAX_LENGTH - suffix.length) + suffix;
  }
}
