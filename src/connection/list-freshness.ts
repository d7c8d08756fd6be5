import type { Clock } from '../clock.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { ListName } from './protocol-client.ts';

/** What a server says about keeping a list. */
export interface CacheHints {
  /** How long the list may be taken for true. */
  readonly ttlMs?: number;
  /** `private` must not be shown to another principal. */
  readonly cacheScope?: 'public' | 'private';
}

// A server cannot make us believe a list for longer than this.
const MAX_TTL_MS = 24 * 60 * 60 * 1_000;

/** The hints of a list of which one page more was read: the shortest life, the narrowest scope. */
export function mergeHints(before: CacheHints, page: JsonObject): CacheHints {
  const { ttlMs: given, cacheScope } = page as { ttlMs?: unknown; cacheScope?: unknown };
  const ttlMs = typeof given === 'number' && given >= 0 ? Math.min(given, MAX_TTL_MS) : undefined;
  const shortest = Math.min(before.ttlMs ?? Infinity, ttlMs ?? Infinity);
  const scope = before.cacheScope === 'private' || cacheScope === 'private' ? 'private' : undefined;
  const isPublic = cacheScope === 'public';
  return {
    ...(shortest !== Infinity && { ttlMs: shortest }),
    ...((scope ?? isPublic) && { cacheScope: scope ?? 'public' }),
  };
}

/** Knows until when each list of a conversation may be taken for true. */
export class ListFreshness {
  readonly #clock: Clock;
  readonly #until = new Map<ListName, number>();
  readonly #scopes = new Map<ListName, 'public' | 'private' | undefined>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The narrowest scope of all that was read; undefined when a list came without one. */
  get scope(): 'public' | 'private' | undefined {
    const scopes = [...this.#scopes.values()];
    if (scopes.includes('private')) return 'private';
    return scopes.length > 0 && !scopes.includes(undefined) ? 'public' : undefined;
  }

  read(list: ListName, { ttlMs, cacheScope }: CacheHints): void {
    this.#scopes.set(list, cacheScope);
    if (ttlMs === undefined) this.#until.delete(list);
    else this.#until.set(list, this.#clock.monotonic() + ttlMs);
  }

  /** Whether the server gave the list a time that is not over. */
  isFresh(list: ListName): boolean {
    return (this.#until.get(list) ?? -Infinity) > this.#clock.monotonic();
  }

  /** Whether the server gave the list a time that is over. */
  isStale(list: ListName): boolean {
    return this.#until.has(list) && !this.isFresh(list);
  }

  forget(): void {
    this.#until.clear();
    this.#scopes.clear();
  }
}
