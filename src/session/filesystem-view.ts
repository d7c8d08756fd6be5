import { McpError, messageOf } from '../errors.ts';
import { parseFilesystemPath } from './filesystem-path.ts';
import type { FileReader, FileWriter } from './filesystem-store.ts';
import { Filesystem } from './filesystem.ts';
import type { FileStat, FolderEntry } from './filesystem.ts';

/** A filesystem made of something to read from and something to write with. */
export class FilesystemView extends Filesystem {
  readonly #reader: FileReader;
  readonly #writer: FileWriter;

  constructor(reader: FileReader, writer: FileWriter) {
    super();
    this.#reader = reader;
    this.#writer = writer;
  }

  async readBytes(path: string): Promise<Uint8Array> {
    return attempt('read', path, (parsed) => this.#reader.read(parsed));
  }

  async readText(path: string): Promise<string> {
    return attempt('read', path, async (parsed) => decode(await this.#reader.read(parsed)));
  }

  async writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    // The caller may reuse its buffer while the write waits for its turn.
    const copy = new Uint8Array(bytes);
    return attempt('write', path, (parsed) => this.#writer.write(parsed, copy));
  }

  async delete(path: string): Promise<boolean> {
    return attempt('delete', path, (parsed) => this.#writer.delete(parsed));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return attempt('look at', path, (parsed) => this.#reader.stat(parsed));
  }

  async list(folder = '.'): Promise<readonly FolderEntry[]> {
    return attempt('list', folder, (parsed) => this.#reader.list(parsed));
  }
}

/** Refuses every write. */
export const readOnlyWriter: FileWriter = {
  write: (path) => Promise.reject(readOnly(path)),
  delete: (path) => Promise.reject(readOnly(path)),
};

function readOnly(path: string): McpError {
  return new McpError('RESOURCE_FAILED', `cannot change ${path}: the tool is declared read-only`);
}

async function attempt<Result>(
  action: string,
  path: string,
  work: (parsed: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(parseFilesystemPath(path));
  } catch (cause) {
    if (cause instanceof McpError) throw cause;
    throw new McpError('RESOURCE_FAILED', `cannot ${action} ${path}: ${reasonOf(cause)}`, { cause });
  }
}

/** Without the absolute paths that the system's own messages carry. */
function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code === undefined ? messageOf(cause) : (REASONS[code] ?? code);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EACCES: 'it is not allowed',
  EPERM: 'it is not allowed',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text; read it as bytes',
};

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
