import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Catalog } from '../connection/catalog.ts';
import { makePrivateFolder } from '../private-folder.ts';
import type { CatalogCache, CatalogMemory, CatalogOwner } from './catalog-cache.ts';
import { parseCatalogFile } from './catalog-file.ts';
import type { CatalogFile } from './catalog-file.ts';

/** A catalog in the cache, for people who look at it. */
export interface CachedCatalog extends CatalogFile {
  readonly path: string;
  readonly bytes: number;
}

/** A catalog cache with a file per server: a damaged file costs one server one start, and processes never wait for each other. */
export class FileCatalogCache implements CatalogCache {
  readonly #folder: string;
  readonly #clock: Clock;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  memoryOf(owner: CatalogOwner): CatalogMemory {
    return {
      recall: () => this.#recall(owner),
      keep: (catalog) => {
        // One after the other: what was learned earlier must not come in last.
        this.#writing = this.#writing.then(() => this.#write(owner, catalog)).catch(() => undefined);
      },
    };
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Everything that can be read, by server. */
  async list(): Promise<readonly CachedCatalog[]> {
    const files = await readdir(this.#folder).catch(() => []);
    const read = files.filter((file) => file.endsWith('.json')).map((file) => this.#look(join(this.#folder, file)));
    const found = (await Promise.all(read)).flatMap((catalog) => (catalog ? [catalog] : []));
    return found.toSorted((left, right) => left.server.localeCompare(right.server));
  }

  /** Forgets one server, or all; gives the number of files that are gone. */
  async clear(server?: string): Promise<number> {
    if (server === undefined) {
      const files = await readdir(this.#folder).catch(() => []);
      await rm(this.#folder, { recursive: true, force: true });
      return files.filter((file) => file.endsWith('.json')).length;
    }
    const theirs = (await this.list()).filter((catalog) => catalog.server === server);
    await Promise.all(theirs.map(({ path }) => rm(path, { force: true })));
    return theirs.length;
  }

  #recall(owner: CatalogOwner): Catalog | undefined {
    for (const scope of ['private', 'public'] as const) {
      const text = readIfThere(this.#pathOf(owner, scope));
      const file = text === undefined ? undefined : parseCatalogFile(text);
      if (file) return file.catalog;
    }
    return undefined;
  }

  /** What a server calls private, or says nothing about, is kept for this principal alone. */
  async #write(owner: CatalogOwner, catalog: Catalog): Promise<void> {
    const scope = catalog.cacheScope ?? 'private';
    const file: CatalogFile = { version: 1, server: owner.server, savedAt: this.#clock.now(), catalog };
    makePrivateFolder(this.#folder);
    const path = this.#pathOf(owner, scope);
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(file), { mode: 0o600 });
    await rename(draft, path);
    await rm(this.#pathOf(owner, scope === 'private' ? 'public' : 'private'), { force: true });
  }

  #pathOf({ definition, principal }: CatalogOwner, scope: 'public' | 'private'): string {
    const suffix = scope === 'public' ? '' : `-${createHash('sha256').update(principal).digest('hex').slice(0, 16)}`;
    return join(this.#folder, `${definition}${suffix}.json`);
  }

  async #look(path: string): Promise<CachedCatalog | undefined> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const file = parseCatalogFile(text);
    return file && { ...file, path, bytes: Buffer.byteLength(text) };
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
