import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { refused } from './filesystem-path.ts';

/**
 * The real path of a file under a real root, with every link followed.
 * Node cannot open relative to a folder, so a process that swaps folders for links at this very moment is not stopped.
 */
export async function locateInside(root: string, path: string): Promise<string> {
  const missing: string[] = [];
  let existing = join(root, path);
  let real = await realpathIfThere(existing);
  while (real === undefined) {
    if (await isLink(existing)) throw refused(path, 'it goes through a link that leads nowhere');
    missing.unshift(basename(existing));
    existing = dirname(existing);
    real = await realpathIfThere(existing);
  }
  if (!isInside(root, real)) throw refused(path, 'a link on it leads out of the root');
  return join(real, ...missing);
}

/** Whether a real path is a real folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realpathIfThere(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether an error of the system says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
