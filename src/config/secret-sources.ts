import { readFile } from 'node:fs/promises';
import { parseDotenv } from './dotenv.ts';

/** A place where secrets are kept; the first that knows a name gives its value. */
export interface SecretSource {
  /** How messages call it. */
  readonly name: string;
  get(name: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Secrets in an environment, usually the one this process was started with. */
export function environmentSource(env: Readonly<Record<string, string | undefined>>): SecretSource {
  return {
    name: 'the environment',
    get: (name) => Promise.resolve(Object.hasOwn(env, name) ? env[name] : undefined),
  };
}

/** Secrets in a `.env` file, read anew each time so that a corrected file counts at once; a missing file knows none. */
export function dotenvSource(path: string, name = '.env'): SecretSource {
  return {
    name,
    async get(wanted, signal) {
      const text = await readIfThere(path, signal);
      return text === undefined ? undefined : parseDotenv(text).get(wanted);
    },
  };
}

async function readIfThere(path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', ...(signal && { signal }) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
