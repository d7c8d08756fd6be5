import { McpError } from '../errors.ts';
import { parseFilesystemPath } from './filesystem-path.ts';
import type { FileStore } from './filesystem-store.ts';
import type { FileStat, FolderEntry } from './filesystem.ts';

/** A file's content, never changed once it is stored, so that it is its own mark. */
export interface MemoryImage {
  readonly content: Uint8Array | undefined;
}

/** Files in memory, by path. */
export class MemoryFileStore implements FileStore<MemoryImage> {
  readonly #files = new Map<string, Uint8Array>();

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      this.#put(parseFilesystemPath(path), new TextEncoder().encode(text));
    }
  }

  async read(path: string): Promise<Uint8Array> {
    const content = this.#files.get(path);
    if (content) return content.slice();
    throw failure('read', path, this.#isFolder(path) ? 'it is a folder' : 'there is no such file');
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const content = this.#files.get(path);
    if (content) return { kind: 'file', size: content.byteLength };
    return this.#isFolder(path) ? { kind: 'folder', size: 0 } : undefined;
  }

  async list(folder: string): Promise<readonly FolderEntry[]> {
    if (this.#files.has(folder)) throw failure('list', folder, 'it is a file');
    const start = folder === '.' ? '' : `${folder}/`;
    const kinds = new Map<string, FolderEntry['kind']>();
    for (const path of this.#files.keys()) {
      if (!path.startsWith(start)) continue;
      const [name = '', ...below] = path.slice(start.length).split('/');
      kinds.set(name, below.length > 0 ? 'folder' : 'file');
    }
    return [...kinds]
      .map(([name, kind]) => ({ name, kind }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async locate(path: string): Promise<string> {
    return path;
  }

  async mark(place: string): Promise<Uint8Array | undefined> {
    return this.#files.get(place);
  }

  async capture(place: string): Promise<MemoryImage> {
    return { content: this.#files.get(place) };
  }

  async replace(place: string, bytes: Uint8Array): Promise<Uint8Array> {
    return this.#put(place, bytes);
  }

  async remove(place: string): Promise<undefined> {
    this.#files.delete(place);
  }

  async restore(place: string, { content }: MemoryImage): Promise<Uint8Array | undefined> {
    if (content) return this.#put(place, content);
    this.#files.delete(place);
    return undefined;
  }

  async release(): Promise<void> {
    // The garbage collector does it.
  }

  keepFolders(): void {
    // Folders are only in the names.
  }

  async dropFolders(): Promise<void> {
    // Folders are only in the names.
  }

  async settle(): Promise<void> {
    // Nothing is kept apart from the files.
  }

  #put(place: string, bytes: Uint8Array): Uint8Array {
    if (this.#isFolder(place)) throw failure('write', place, 'it is a folder');
    if (foldersAbove(place).some((folder) => this.#files.has(folder))) {
      throw failure('write', place, 'a part of its path is a file');
    }
    this.#files.set(place, bytes);
    return bytes;
  }

  #isFolder(path: string): boolean {
    if (path === '.') return true;
    for (const known of this.#files.keys()) if (known.startsWith(`${path}/`)) return true;
    return false;
  }
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function failure(action: string, path: string, reason: string): McpError {
  return new McpError('RESOURCE_FAILED', `cannot ${action} ${path}: ${reason}`);
}
