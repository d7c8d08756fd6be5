import type { Catalog } from '../connection/catalog.ts';

/** Keeps what servers offer between runs, so that tools are known before any server is started. */
export interface CatalogCache {
  memoryOf(owner: CatalogOwner): CatalogMemory;
  /** Resolves when everything that was kept is where it lasts. */
  flush(): Promise<void>;
}

/** Whose catalog it is: a definition, as seen by one principal. */
export interface CatalogOwner {
  readonly definition: string;
  readonly principal: string;
  /** For people who look at the cache. */
  readonly server: string;
}

/** One server's place in the cache. */
export interface CatalogMemory {
  recall(): Catalog | undefined;
  keep(catalog: Catalog): void;
}

/** Remembers nothing beyond the connection. */
export const NO_CATALOG_CACHE: CatalogCache = {
  memoryOf: () => ({ recall: () => undefined, keep: () => undefined }),
  flush: () => Promise.resolve(),
};
