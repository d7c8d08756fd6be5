import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import type { Dirent } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { McpError } from '../errors.ts';
import type { FileStore } from './filesystem-store.ts';
import type { FileStat, FolderEntry } from './filesystem.ts';
import { TentativeFolders } from './host-filesystem-folders.ts';
import { HostImages, markOf, markOfFile, statIfThere } from './host-filesystem-images.ts';
import type { HostImage } from './host-filesystem-images.ts';
import { isMissing, locateInside } from './host-filesystem-path.ts';

/** Files of this machine under one folder. */
export class HostFileStore implements FileStore<HostImage> {
  readonly #rootAsGiven: string;
  readonly #images: HostImages;
  readonly #folders = new TentativeFolders();
  #realRoot: string | undefined;

  constructor(root: string, spillFolder?: string) {
    this.#rootAsGiven = root;
    this.#images = new HostImages(spillFolder);
  }

  async locate(path: string): Promise<string> {
    return locateInside(await this.#root(), path);
  }

  async read(path: string): Promise<Uint8Array> {
    // A pipe without a writer would otherwise be waited for.
    const handle = await open(await this.locate(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await handle.stat()).isFile()) throw new McpError('RESOURCE_FAILED', `cannot read ${path}: it is no file`);
      return new Uint8Array(await handle.readFile());
    } finally {
      await handle.close();
    }
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return statPlace(await this.locate(path));
  }

  async list(folder: string): Promise<readonly FolderEntry[]> {
    const found = await readdir(await this.locate(folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error) && !isFileInTheWay(error)) return [];
      throw error;
    });
    const entries = await Promise.all(found.map((entry) => this.#entry(folder, entry)));
    return entries.flatMap((entry) => entry ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async mark(place: string): Promise<string | undefined> {
    // A folder on the way may have become a link since; behind it lies another file.
    const root = await this.#root();
    if ((await locateInside(root, relative(root, place))) !== place) return 'elsewhere';
    return (await statIfThere(place)) && markOfFile(place);
  }

  async capture(place: string): Promise<HostImage> {
    return this.#images.capture(await this.#root(), place);
  }

  async replace(place: string, bytes: Uint8Array): Promise<string> {
    const found = await statIfThere(place);
    // Renaming over a file would pass by its write protection.
    if (found) await access(place, constants.W_OK);
    // Nobody may read in the draft what they may not read in the file.
    const draftMode = found ? 0o600 : 0o666;
    await this.#swap(place, found && found.mode & 0o7777, (draft) =>
      writeFile(draft, bytes, { flag: 'wx', mode: draftMode }),
    );
    return markOf(bytes);
  }

  async remove(place: string): Promise<undefined> {
    await unlink(place);
  }

  async restore(place: string, image: HostImage): Promise<string | undefined> {
    if (image.kind === 'absent') {
      await rm(place, { force: true });
      return undefined;
    }
    await statIfThere(place);
    await this.#swap(place, image.mode, (draft) =>
      image.kind === 'copy'
        ? copyFile(image.file, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
        : writeFile(draft, image.bytes, { flag: 'wx', mode: 0o600 }),
    );
    return image.mark;
  }

  async release(image: HostImage): Promise<void> {
    await this.#images.release(image);
  }

  keepFolders(place: string): void {
    this.#folders.keep(place);
  }

  async dropFolders(place: string): Promise<void> {
    await this.#folders.drop(place);
  }

  async settle(): Promise<void> {
    this.#folders.forget();
    await this.#images.removeAll();
  }

  /** Whoever reads the file meanwhile sees all of the old content or all of the new. */
  async #swap(place: string, mode: number | undefined, fill: (draft: string) => Promise<void>): Promise<void> {
    await this.#folders.make(place);
    const draft = join(dirname(place), `.fairlead-${randomUUID()}`);
    try {
      await fill(draft);
      if (mode !== undefined) await chmod(draft, mode);
      await rename(draft, place);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** What a link leads to; nothing for what is neither a file nor a folder, or not to be reached. */
  async #entry(folder: string, entry: Dirent): Promise<FolderEntry | undefined> {
    const { name } = entry;
    if (entry.isFile()) return { name, kind: 'file' };
    if (entry.isDirectory()) return { name, kind: 'folder' };
    try {
      const target = await this.stat(`${folder}/${name}`);
      return target && { name, kind: target.kind };
    } catch {
      return undefined;
    }
  }

  async #root(): Promise<string> {
    this.#realRoot ??= await realpath(this.#rootAsGiven);
    return this.#realRoot;
  }
}

async function statPlace(place: string): Promise<FileStat | undefined> {
  try {
    const found = await stat(place);
    if (found.isDirectory()) return { kind: 'folder', size: 0 };
    return found.isFile() ? { kind: 'file', size: found.size } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isFileInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
}
