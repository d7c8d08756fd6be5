import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../private-folder.ts';

const NEWLINE = 0x0a;
// A rotation takes no time.
const LEFT_BEHIND_MS = 10_000;

/** A file of lines that several processes append to; one that grows over its limit becomes `<file>.1`. */
export class LineFile {
  readonly #path: string;
  readonly #maxBytes: number;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Makes the file ready, for its owner alone, and ends a line that a crash has torn. */
  async prepare(): Promise<void> {
    const handle = await this.#openFor(0);
    try {
      // A file of another user that we may write to is left as it is.
      await handle.chmod(0o600).catch(() => undefined);
      // Never truncated: another process may have written after the torn line already.
      if (await isTorn(handle)) await handle.write('\n');
    } finally {
      await handle.close();
    }
  }

  /** Appends lines that end in a newline, in one write, so that no other process gets between; gives how many are whole. */
  async append(lines: readonly string[]): Promise<number> {
    const bytes = Buffer.from(lines.join(''));
    // Opened each time, because another process may have moved the file away.
    const handle = await this.#openFor(bytes.length);
    try {
      const before = (await isTorn(handle)) ? Buffer.from('\n') : Buffer.alloc(0);
      const { bytesWritten } = await handle.write(Buffer.concat([before, bytes]));
      return wholeLines(lines, bytesWritten - before.length);
    } finally {
      await handle.close();
    }
  }

  async #openFor(bytes: number): Promise<FileHandle> {
    const handle = await this.#open();
    const { size, ino } = await handle.stat();
    if (size === 0 || size + bytes <= this.#maxBytes) return handle;
    await handle.close();
    this.#rotate(ino);
    return this.#open();
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.#path, 'a+', 0o600);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    makePrivateFolder(dirname(this.#path));
    return open(this.#path, 'a+', 0o600);
  }

  /** Only the file that was found too big, and one process at a time: a second rotation would throw away the first. */
  #rotate(inode: number): void {
    const lock = `${this.#path}.lock`;
    // Whoever comes late writes to the file as it is; nothing is lost by that.
    if (!take(lock, this.#path)) return;
    try {
      if (statSync(this.#path).ino === inode) renameSync(this.#path, `${this.#path}.1`);
    } catch (error) {
      // Another process was faster.
      if (!isMissing(error)) throw error;
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** Takes a lock, or gives up; one that a process left behind when it died goes, for the next time. */
function take(lock: string, file: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const [held, written] = [lock, file].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  if (held !== undefined && written !== undefined && written - held > LEFT_BEHIND_MS) rmSync(lock, { force: true });
  return false;
}

/** How many of the lines are within the first bytes; a disk that is full takes a part of a write. */
export function wholeLines(lines: readonly string[], bytesWritten: number): number {
  let end = 0;
  const partial = lines.findIndex((line) => {
    end += Buffer.byteLength(line);
    return end > bytesWritten;
  });
  return partial === -1 ? lines.length : partial;
}

async function isTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
