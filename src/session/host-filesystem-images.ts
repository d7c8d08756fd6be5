import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInside, isMissing } from './host-filesystem-path.ts';

/** A file as it was before a write. */
export type HostImage =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mode: number; readonly mark: string }
  | { readonly kind: 'copy'; readonly file: string; readonly mode: number; readonly mark: string };

// Larger files wait on the disk and not in memory.
const MAX_BYTES_IN_MEMORY = 1024 * 1024;

/** Keeps images of files, the large ones in a folder of their own outside the root. */
export class HostImages {
  readonly #spillFolder: string;
  #folder: Promise<string | undefined> | undefined;

  constructor(spillFolder: string = tmpdir()) {
    this.#spillFolder = spillFolder;
  }

  async capture(root: string, place: string): Promise<HostImage> {
    const found = await statIfThere(place);
    if (!found) return { kind: 'absent' };
    const mode = found.mode & 0o7777;
    const folder = found.size > MAX_BYTES_IN_MEMORY ? await this.#openFolder(root) : undefined;
    if (folder === undefined) {
      const bytes = await readFile(place);
      return { kind: 'bytes', bytes, mode, mark: markOf(bytes) };
    }
    const file = join(folder, randomUUID());
    await copyFile(place, file, constants.COPYFILE_FICLONE);
    return { kind: 'copy', file, mode, mark: await markOfFile(file) };
  }

  async release(image: HostImage): Promise<void> {
    // What stays behind goes with the folder.
    if (image.kind === 'copy') await rm(image.file, { force: true }).catch(() => undefined);
  }

  async removeAll(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    this.#folder = undefined;
    // Its place is for temporary files: what cannot be removed now is no reason to fail a call.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Undefined when the only place for it lies inside the root, where it would be seen. */
  async #openFolder(root: string): Promise<string | undefined> {
    this.#folder ??= realpath(this.#spillFolder).then((parent) =>
      isInside(root, parent) ? undefined : mkdtemp(join(parent, 'fairlead-before-')),
    );
    return this.#folder;
  }
}

/** Identifies a content. */
export function markOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Identifies the content of a file without holding it in memory. */
export async function markOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

/** Undefined when there is nothing; a folder or a device is an error. */
export async function statIfThere(
  place: string,
): Promise<{ readonly mode: number; readonly size: number } | undefined> {
  const found = await stat(place).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!found || found.isFile()) return found;
  throw Object.assign(new Error('not a file'), found.isDirectory() ? { code: 'EISDIR' } : {});
}
