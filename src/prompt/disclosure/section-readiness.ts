import { messageOf } from '../../errors.ts';
import type { SessionScope } from '../../session/session-scope.ts';
import type { HiddenSection } from '../closed-section.ts';
import type { Prompt } from '../prompt.ts';
import type { Section } from '../section.ts';
import type { SectionVisibility } from '../visibility.ts';

/** For whom sections are to be opened, and what was closed before. */
export interface PrepareWish {
  readonly before: { readonly closed: ReadonlyMap<string, readonly HiddenSection[]> };
  readonly session: SessionScope;
  readonly signal: AbortSignal | undefined;
}

/** Knows which sections cannot be shown open, because what they must do before that has failed. */
export class SectionReadiness {
  readonly #prompt: Prompt;
  readonly #unready = new Set<string>();
  /** Were made ready by an opening of which nobody knows yet whether it will be kept. */
  readonly #fresh = new Map<string, Section>();

  constructor(prompt: Prompt) {
    this.#prompt = prompt;
  }

  get unready(): ReadonlySet<string> {
    return this.#unready;
  }

  /** Lets sections get ready, all at once; says of which that failed, and why. */
  async prepare(paths: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    const failed: string[] = [];
    const prepareOne = async (path: string): Promise<void> => {
      const section = this.#prompt.findSection(path);
      try {
        if (section?.isReady === false) this.#fresh.set(path, section);
        await section?.prepare(signal ? { signal } : {});
        this.#unready.delete(path);
      } catch (error) {
        this.#unready.add(path);
        failed.push(`Section '${path}' cannot be opened: ${messageOf(error)}`);
      }
    };
    await Promise.all(paths.map(prepareOne));
    return failed;
  }

  /** Openings are over: what was made ready for them and is hidden all the same is put to rest. */
  async settle(hidden: ReadonlySet<string>): Promise<void> {
    const fresh = [...this.#fresh].filter(([path]) => hidden.has(path));
    this.#fresh.clear();
    await Promise.allSettled(fresh.map(([, section]) => section.rest()));
  }

  /** Lets those get ready that will be open when the sections around them are. */
  async prepareWithin(
    paths: readonly string[],
    { before, session, signal, visibilities }: PrepareWish & { readonly visibilities: Visibilities },
  ): Promise<readonly string[]> {
    const unknown = [...before.closed.values()].flat().filter((hidden) => hidden.unknown !== undefined);
    if (unknown.length === 0) return [];
    const isOpen = (path: string, section: Section): boolean =>
      paths.includes(path) || (visibilities.get(path) ?? chosenVisibility(section, session)) === 'full';
    const opened = new Set(
      paths.flatMap((path) => {
        const section = this.#prompt.findSection(path);
        return section ? openWithin(section, path, isOpen) : [];
      }),
    );
    const unready = unknown.flatMap(({ path }) => (opened.has(path) && !paths.includes(path) ? [path] : []));
    return this.prepare(unready, signal);
  }
}

type Visibilities = ReadonlyMap<string, SectionVisibility>;

/** The sections below one that are open if it is. */
function openWithin(
  section: Section,
  path: string,
  isOpen: (path: string, section: Section) => boolean,
): readonly string[] {
  return section.children.flatMap((child) => {
    const below = `${path}.${child.key}`;
    return isOpen(below, child) ? [below, ...openWithin(child, below, isOpen)] : [];
  });
}

/** What an author chose, as far as it does not depend on params that only a rendering knows. */
function chosenVisibility(section: Section, session: SessionScope): SectionVisibility {
  try {
    return section.visibilityFor({ params: section.defaultParams?.values ?? {}, session });
  } catch {
    return 'full';
  }
}
