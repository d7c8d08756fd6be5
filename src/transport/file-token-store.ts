import { randomUUID } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../private-folder.ts';
import type { Grants, TokenStore } from './token-store.ts';

/** Tokens in one file that only its owner can read. */
export function createFileTokenStore(path: string): TokenStore {
  let writing: Promise<void> = Promise.resolve();
  const readAll = async (): Promise<Record<string, Grants>> => {
    try {
      const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
      return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, Grants>) : {};
    } catch (error) {
      // A file that is not there, or that a crash has torn, means that everybody logs in again.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
  };
  const writeOne = async (key: string, grants: Grants): Promise<void> => {
    const all = { ...(await readAll()), [key]: grants };
    makePrivateFolder(dirname(path));
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(all), { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, path);
  };
  return {
    load: async (key) => {
      await writing.catch(() => undefined);
      return (await readAll())[key];
    },
    save: (key, grants) => {
      writing = writing.catch(() => undefined).then(() => writeOne(key, grants));
      return writing;
    },
  };
}
