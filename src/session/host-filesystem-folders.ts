import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The folders that were made for files which may yet be rolled back. */
export class TentativeFolders {
  readonly #folders = new Set<string>();

  /** Makes the folders above a file. */
  async make(place: string): Promise<void> {
    const folder = dirname(place);
    const first = await mkdir(folder, { recursive: true });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) this.#folders.add(made);
  }

  keep(place: string): void {
    for (let folder = dirname(place); this.#folders.delete(folder);) folder = dirname(folder);
  }

  async drop(place: string): Promise<void> {
    for (let folder = dirname(place); this.#folders.has(folder); folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch {
        // Somebody has put something in it: it is theirs now.
        return;
      }
      this.#folders.delete(folder);
    }
  }

  forget(): void {
    this.#folders.clear();
  }
}
