import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** A path as a person in that folder would write it. */
export function shortPath(path: string, cwd: string): string {
  const inFolder = relative(cwd, path);
  if (inFolder !== '' && !inFolder.startsWith('..')) return inFolder;
  const inHome = relative(homedir(), path);
  return inHome === '' || inHome.startsWith('..') ? path : join('~', inHome);
}
