import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import { acceptOverride, loadOverride } from './override-checks.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import { DEFAULT_TAG } from './prompt-overrides.ts';
import type { OverrideAddress, OverridesStore, PromptOverride } from './prompt-overrides.ts';
import { normalKey } from './section-key.ts';

export interface FileOverridesOptions {
  /** The folder for all overrides; one file per prompt and tag is kept below it. */
  readonly root: string;
  readonly logger?: Logger;
}

/** Keeps overrides in files, so that they can be read, edited and put under version control. */
export class FileOverridesStore implements OverridesStore {
  readonly #root: string;
  readonly #logger: Logger;

  constructor({ root, logger = silentLogger }: FileOverridesOptions) {
    this.#root = root;
    this.#logger = logger;
  }

  async resolve(descriptor: PromptDescriptor, tag: string = DEFAULT_TAG): Promise<PromptOverride | undefined> {
    const path = this.#pathOf({ ...descriptor, tag });
    const text = await readIfThere(path);
    if (text === undefined) return undefined;
    const { parseOverrideFile } = await import('./override-file.ts');
    return loadOverride(descriptor, parseOverrideFile(text, path), this.#logger);
  }

  async upsert(
    descriptor: PromptDescriptor,
    override: Partial<PromptOverride>,
    tag: string = DEFAULT_TAG,
  ): Promise<void> {
    const { ns, key } = descriptor;
    const path = this.#pathOf({ ns, key, tag });
    const file = { version: 1, ns, key, tag, ...acceptOverride(descriptor, override) };
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(file, undefined, 2)}\n`);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async delete(address: OverrideAddress): Promise<void> {
    await rm(this.#pathOf(address), { force: true });
  }

  /** Every part is a key, so none can lead out of the folder. */
  #pathOf({ ns, key, tag = DEFAULT_TAG }: OverrideAddress): string {
    const groups = ns.split('/').map((part) => normalKey(part, 'prompt namespace'));
    return join(this.#root, ...groups, normalKey(key, 'prompt key'), `${normalKey(tag, 'override tag')}.json`);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
