import type { Catalog } from '../connection/catalog.ts';

/** What one file of the catalog cache holds. */
export interface CatalogFile {
  readonly version: 1;
  readonly server: string;
  readonly savedAt: number;
  readonly catalog: Catalog;
}

/** Reads a file's text; undefined when it is torn, foreign or of another version, and so must be made anew. */
export function parseCatalogFile(text: string): CatalogFile | undefined {
  let parsed: Partial<CatalogFile> | null;
  try {
    parsed = JSON.parse(text) as Partial<CatalogFile> | null;
  } catch {
    return undefined;
  }
  if (parsed?.version !== 1 || typeof parsed.server !== 'string' || typeof parsed.savedAt !== 'number')
    return undefined;
  const { catalog } = parsed;
  if (!isListOf(catalog?.tools, 'tool') || !isListOf(catalog?.quarantined, 'tool')) return undefined;
  if (!Array.isArray(catalog?.warnings)) return undefined;
  return parsed as CatalogFile;
}

function isListOf(list: unknown, key: string): boolean {
  return Array.isArray(list) && list.every((entry: unknown) => isNamed(entry, key));
}

function isNamed(entry: unknown, key: string): boolean {
  return typeof entry === 'object' && entry !== null && typeof (entry as Record<string, unknown>)[key] === 'string';
}
