import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import { acceptOverride, loadOverride } from './override-checks.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import { DEFAULT_TAG } from './prompt-overrides.ts';
import type { OverrideAddress, OverridesStore, PromptOverride } from './prompt-overrides.ts';

/** Keeps overrides for the life of the process. */
export class MemoryOverridesStore implements OverridesStore {
  readonly #logger: Logger;
  readonly #stored = new Map<string, PromptOverride>();

  constructor({ logger = silentLogger }: { readonly logger?: Logger } = {}) {
    this.#logger = logger;
  }

  async resolve(descriptor: PromptDescriptor, tag: string = DEFAULT_TAG): Promise<PromptOverride | undefined> {
    const stored = this.#stored.get(nameOf({ ...descriptor, tag }));
    return stored && loadOverride(descriptor, stored, this.#logger);
  }

  async upsert(descriptor: PromptDescriptor, override: Partial<PromptOverride>, tag?: string): Promise<void> {
    const accepted = acceptOverride(descriptor, override);
    this.#stored.set(nameOf({ ...descriptor, ...(tag !== undefined && { tag }) }), structuredClone(accepted));
  }

  async delete(address: OverrideAddress): Promise<void> {
    this.#stored.delete(nameOf(address));
  }
}

function nameOf({ ns, key, tag = DEFAULT_TAG }: OverrideAddress): string {
  return JSON.stringify([ns, key, tag]);
}
