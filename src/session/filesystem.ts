/** Something in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface FileStat {
  readonly kind: 'file' | 'folder';
  /** In bytes; nothing for a folder. */
  readonly size: number;
}

/** Files under one root that a tool may use; every path is relative to the root and none leaves it. */
export abstract class Filesystem {
  abstract readBytes(path: string): Promise<Uint8Array>;
  /** Makes the folders above the file, too. */
  abstract writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; false when there was none. */
  abstract delete(path: string): Promise<boolean>;
  /** Undefined when there is nothing. */
  abstract stat(path: string): Promise<FileStat | undefined>;
  /** What is in a folder, by name; nothing when there is no such folder. */
  abstract list(folder?: string): Promise<readonly FolderEntry[]>;
  /** Throws when the file is no UTF-8 text, because writing it back would damage it. */
  abstract readText(path: string): Promise<string>;

  async writeText(path: string, text: string): Promise<void> {
    await this.writeBytes(path, new TextEncoder().encode(text));
  }

  async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== undefined;
  }
}
