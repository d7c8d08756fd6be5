/** One text that is kept, and what it belongs to. */
export interface CacheEntry {
  readonly key: string;
  /** Entries of one group are forgotten together. */
  readonly group: string;
  readonly text: string;
  readonly at: number;
}

export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Texts by key; the one that was not used for longest goes first when there are too many or too much. */
export class BoundedCache {
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, CacheEntry & { readonly bytes: number }>();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map keeps the order of insertion: the end is what was used last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(entry: CacheEntry): void {
    this.delete(entry.key);
    const bytes = Buffer.byteLength(entry.key) + Buffer.byteLength(entry.text);
    if (bytes > this.#limits.maxBytes) return;
    this.#entries.set(entry.key, { ...entry, bytes });
    this.#bytes += bytes;
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.maxEntries && this.#bytes <= this.#limits.maxBytes) return;
      this.delete(key);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  deleteGroup(group: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.group === group) this.delete(entry.key);
    }
  }
}
