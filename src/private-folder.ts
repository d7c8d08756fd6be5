import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder that is for its owner alone, and those above it; throws why it cannot. */
export function makePrivateFolder(path: string): void {
  // Not `recursive`: Node tries for ever where a folder that exists cannot hold another, as in /proc.
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makePrivateFolder(dirname(path));
    makeIfMissing(path);
  }
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
