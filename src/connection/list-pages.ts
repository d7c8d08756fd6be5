import type { JsonObject } from '../call/tool-ref.ts';
import { mergeHints } from './list-freshness.ts';
import type { CacheHints } from './list-freshness.ts';
import { RequestError } from './request-failure.ts';

/** A list as far as it was read, and why the reading stopped early if it did. */
export interface PagedList {
  readonly entries: readonly unknown[];
  readonly stopped?: string;
  /** What the server says about keeping the list. */
  readonly hints: CacheHints;
}

export type FetchPage = (params: JsonObject) => Promise<JsonObject>;

/** Reads a paginated list to its end, to a cursor that comes round again, or to the limit of pages. */
export async function listPages(key: string, fetchPage: FetchPage, maxPages: number): Promise<PagedList> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  let hints: CacheHints = {};
  for (let page = 1; page <= maxPages; page += 1) {
    const result = await fetchPage(params);
    const items = result[key];
    if (!Array.isArray(items))
      throw new RequestError({ kind: 'invalid-result', detail: `the list has no ${key} array` });
    for (const item of items) entries.push(item);
    hints = mergeHints(hints, result);
    const cursor = result['nextCursor'];
    if (typeof cursor !== 'string') return { entries, hints };
    if (seen.has(cursor)) return { entries, hints, stopped: `page ${page} repeats an earlier cursor` };
    seen.add(cursor);
    params = { cursor };
  }
  return { entries, hints, stopped: `the list has more than ${maxPages} pages` };
}
