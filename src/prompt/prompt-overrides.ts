import type { PromptDescriptor } from './prompt-descriptor.ts';

/** Texts that take the place of a prompt's own, for as long as those are what they were. */
export interface PromptOverride {
  /** By the whole path of the section. */
  readonly sections: Readonly<Record<string, SectionOverride>>;
  /** By the name of the tool. */
  readonly tools: Readonly<Record<string, ToolOverride>>;
}

export interface SectionOverride {
  /** The content hash of the text that it was written against. */
  readonly expectedHash: string;
  /** The new template. */
  readonly body: string;
}

export interface ToolOverride {
  /** The contract hash of the tool that it was written against. */
  readonly expectedHash: string;
  readonly description?: string;
  readonly paramDescriptions?: Readonly<Record<string, string>>;
}

/** Which override is meant: of which prompt, under which tag. */
export interface OverrideAddress {
  readonly ns: string;
  readonly key: string;
  /** `latest` unless said. */
  readonly tag?: string;
}

/** Keeps overrides. */
export interface OverridesStore {
  /** The override with what still fits the prompt; undefined when nothing is stored. */
  resolve(descriptor: PromptDescriptor, tag?: string): Promise<PromptOverride | undefined>;
  /** Puts an override in the place of what is stored; refuses one that does not fit. */
  upsert(descriptor: PromptDescriptor, override: Partial<PromptOverride>, tag?: string): Promise<void>;
  /** Forgets an override; nothing happens when there is none. */
  delete(address: OverrideAddress): Promise<void>;
}

export const DEFAULT_TAG = 'latest';

/** An override divided into what fits a prompt and what does not, with the reasons. */
export interface FittedOverride {
  readonly fitting: PromptOverride;
  readonly misfits: readonly OverrideMisfit[];
}

export interface OverrideMisfit {
  readonly kind: 'section' | 'tool';
  readonly name: string;
  readonly reason: string;
}

/** Compares an override with the prompt as it is now. */
export function fitOverride(descriptor: PromptDescriptor, override: Partial<PromptOverride>): FittedOverride {
  const misfits: OverrideMisfit[] = [];
  const bodies = new Map(descriptor.sections.map(({ path, contentHash }) => [path, contentHash]));
  const contracts = new Map(descriptor.tools.map(({ name, contractHash }) => [name, contractHash]));
  const keep = <Entry extends { readonly expectedHash: string }>(
    kind: OverrideMisfit['kind'],
    entries: Readonly<Record<string, Entry>>,
    hashes: ReadonlyMap<string, string>,
  ): Readonly<Record<string, Entry>> => {
    const fitting = Object.entries(entries).filter(([name, { expectedHash }]) => {
      const reason = misfit(hashes.get(name), expectedHash);
      if (reason !== undefined) misfits.push({ kind, name, reason });
      return reason === undefined;
    });
    return Object.freeze(Object.fromEntries(fitting));
  };
  const sections = keep('section', override.sections ?? {}, bodies);
  const tools = keep('tool', override.tools ?? {}, contracts);
  return { fitting: { sections, tools }, misfits };
}

function misfit(hash: string | undefined, expected: string): string | undefined {
  if (hash === undefined) return 'the prompt has none that accepts overrides';
  return hash === expected ? undefined : 'it was written against another text';
}
