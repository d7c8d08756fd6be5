import { closeSync, lstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';

/** What must be known of the files of this machine to plan a sandbox. */
export interface Disk {
  kindOf(path: string): 'file' | 'folder' | 'link' | undefined;
  /** Where a link points, as it is written. */
  linkTarget(path: string): string | undefined;
  /** The path without any link in it; undefined when there is no such file. */
  realPath(path: string): string | undefined;
  /** How a file begins. */
  firstLine(path: string): string;
}

const FIRST_LINE_BYTES = 256;

/** The files as they are. */
export const hostDisk: Disk = {
  kindOf(path) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return 'link';
    return stats.isDirectory() ? 'folder' : 'file';
  },
  linkTarget: (path) => orUndefined(() => readlinkSync(path)),
  realPath: (path) => orUndefined(() => realpathSync(path)),
  firstLine: (path) => orUndefined(() => firstBytes(path).split('\n', 1)[0]) ?? '',
};

function firstBytes(path: string): string {
  if (!statSync(path).isFile()) return '';
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(FIRST_LINE_BYTES);
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, FIRST_LINE_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
