import type { FileStat, FolderEntry } from './filesystem.ts';

/** Identifies the content of a file: equal marks, equal content; undefined when there is no file. */
export type ContentMark = string | object | undefined;

/** What a filesystem reads from; its paths are parsed already. */
export interface FileReader {
  read(path: string): Promise<Uint8Array>;
  stat(path: string): Promise<FileStat | undefined>;
  list(folder: string): Promise<readonly FolderEntry[]>;
}

/** What a filesystem writes with; its paths are parsed already. */
export interface FileWriter {
  write(path: string, bytes: Uint8Array): Promise<void>;
  delete(path: string): Promise<boolean>;
}

/** Where the files are; all but reading happens one after the other. */
export interface FileStore<Image extends object> extends FileReader {
  /** The place of a file: two paths that lead to one file have one place. */
  locate(path: string): Promise<string>;
  mark(place: string): Promise<ContentMark>;
  /** The file as it is, or its absence. */
  capture(place: string): Promise<Image>;
  replace(place: string, bytes: Uint8Array): Promise<ContentMark>;
  remove(place: string): Promise<undefined>;
  /** Puts the file back as it was captured. */
  restore(place: string, image: Image): Promise<ContentMark>;
  /** Forgets an image that nobody needs any more. */
  release(image: Image): Promise<void>;
  /** Keeps the folders that were made for a file. */
  keepFolders(place: string): void;
  /** Removes the folders that were made for a file and are empty. */
  dropFolders(place: string): Promise<void>;
  /** No transaction is open: nothing needs to be remembered. */
  settle(): Promise<void>;
}
