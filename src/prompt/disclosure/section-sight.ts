import type { McpServer } from '../../config/server.ts';
import type { Disclosure } from '../../config/section-entry.ts';
import type { BoundPolicy } from '../../policy/tool-policy.ts';
import type { SessionScope } from '../../session/session-scope.ts';
import type { ClosedSection, ClosedTexts, HiddenSection } from '../closed-section.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderOptions } from '../render-options.ts';
import type { RenderedPrompt } from '../rendered-prompt.ts';
import type { SectionTool } from '../section.ts';
import { entriesOf, VisibilityOverrides } from '../visibility.ts';
import type { SectionVisibility } from '../visibility.ts';
import { fitsEagerly } from './auto-disclosure.ts';
import type { CatalogBook } from './catalog-book.ts';
import { renderClosedList } from './closed-list.ts';
import type { ClosedListLimits } from './closed-list.ts';
import { outlineOf } from './closed-outline.ts';
import { countRunTokens } from './run-tokens.ts';
import { pinnedWithin } from './pinned-parts.ts';

/** What of a prompt an agent sees at one moment, and what it does not. */
export interface Sight {
  readonly rendered: RenderedPrompt;
  /** The servers that are in use: those of open sections, then what is pinned. */
  readonly servers: readonly McpServer[];
  readonly tools: readonly SectionTool[];
  readonly policies: readonly BoundPolicy[];
  /** What each closed section holds, by its path. */
  readonly closed: ReadonlyMap<string, readonly HiddenSection[]>;
}

export interface SightOptions {
  readonly prompt: Prompt;
  readonly catalogs: CatalogBook;
  readonly disclosure: Disclosure | undefined;
  readonly contextWindow: number | undefined;
  readonly limits: ClosedListLimits;
  readonly render: Omit<RenderOptions, 'session' | 'closed'>;
}

/** Decides which sections are open, and renders them; knows what the closed ones would bring. */
export class SectionSight {
  readonly #options: SightOptions;
  /** Stay open whatever anybody says: closing waits for the next run. */
  readonly #kept = new Map<string, SectionVisibility>();
  #isEager = false;
  #automatic: ReadonlySet<string> | undefined;

  constructor(options: SightOptions) {
    this.#options = options;
  }

  /** Opens everything, for good: when the model could not open anything itself. */
  showAll(): void {
    this.#isEager = true;
  }

  /** Renders for a session; what was not hidden `before` stays open. */
  async look(session: SessionScope, before?: Sight): Promise<Sight> {
    this.#automatic ??= await this.#closedAutomatically(session);
    const hiddenBefore = before && hiddenPaths(before);
    for (;;) {
      const visibility = this.#visibilities(session);
      const { rendered, closed } = await this.#render(session, visibility);
      const closing = [...closed.keys()].filter((path) => this.#isEager || (hiddenBefore && !hiddenBefore.has(path)));
      if (closing.length === 0) return this.#complete({ rendered, closed, visibility }, session);
      for (const path of closing) this.#kept.set(path, 'full');
    }
  }

  /** One section's text as it would be open, with those within it as they are. */
  async textOf(path: string, session: SessionScope): Promise<string> {
    const visibility = this.#visibilities(session);
    const options = { ...this.#options.render, session, visibility, closed: this.#texts() };
    return (await this.#options.prompt.renderSection(path, options)).text;
  }

  #visibilities(session: SessionScope): ReadonlyMap<string, SectionVisibility> {
    const chosen = new Set(
      session
        .slice(VisibilityOverrides)
        .all()
        .map(({ path }) => path),
    );
    const automatic = [...(this.#automatic ?? [])].filter((path) => !chosen.has(path));
    const given = [...entriesOf(this.#options.render.visibility ?? {})];
    return new Map([
      ...automatic.map((path): [string, SectionVisibility] => [path, 'summary']),
      // What the model has opened stays open, though it was given as closed.
      ...given.filter(([path, visibility]) => visibility === 'full' || !chosen.has(path)),
      ...this.#kept,
    ]);
  }

  async #render(
    session: SessionScope,
    visibility: ReadonlyMap<string, SectionVisibility>,
  ): Promise<Pick<Sight, 'rendered' | 'closed'>> {
    const { prompt, catalogs, render } = this.#options;
    const rendered = await prompt.render({
      countTokens: (contents) => countRunTokens(contents, { prompt, catalogs, session, render }),
      ...render,
      session,
      visibility,
      closed: this.#texts(),
    });
    const closed = new Map(rendered.closedSections.map((section) => [section.path, section.contents()]));
    catalogs.add(rendered.mcps);
    catalogs.add([...closed.values()].flat().flatMap(({ mcps }) => mcps));
    return { rendered, closed };
  }

  async #complete({ rendered, closed, visibility }: Rendered, session: SessionScope): Promise<Sight> {
    const { catalogs, prompt, render } = this.#options;
    const pinned = pinnedWithin([...closed.values()].flat(), (server) => catalogs.toolsOf(server));
    const base = { rendered, closed, servers: firstOfName([...rendered.mcps, ...pinned.servers]) };
    if (pinned.paths.length === 0) return { ...base, tools: rendered.tools, policies: rendered.policies };
    // Policies of a closed section hold for what is pinned in it, so it is rendered open to have them; nobody reads the text.
    const holders = [...closed].filter(([, contents]) => contents.some(({ path }) => pinned.paths.includes(path)));
    const open = holders.flatMap(([, contents]) => contents.map(({ path }): [string, 'full'] => [path, 'full']));
    const governed = await prompt.render({
      ...render,
      session,
      visibility: new Map([...visibility, ...open]),
      closed: { note: () => '', list: () => '' },
    });
    return { ...base, tools: [...rendered.tools, ...pinned.tools], policies: governed.policies };
  }

  #texts(): ClosedTexts {
    const { prompt, catalogs, limits, disclosure, render } = this.#options;
    if (disclosure === 'search') return { list: searchNote };
    return {
      list: (sections) => {
        const contents = sections.map((section) => section.contents());
        catalogs.add(contents.flat().flatMap(({ mcps }) => mcps));
        const toolsOf = (server: string): ReturnType<CatalogBook['toolsOf']> => catalogs.toolsOf(server);
        const outlines = sections.map((section, index) =>
          outlineOf(section, contents[index] ?? [], {
            key: prompt.findSection(section.path)?.key ?? section.path,
            toolsOf,
          }),
        );
        render.logger?.log('debug', 'closed sections are listed', { sections: sections.length });
        return renderClosedList(outlines, limits);
      },
    };
  }

  /** Sections with tools of their own whose authors chose nothing, unless all of them are small enough to be shown. */
  async #closedAutomatically(session: SessionScope): Promise<ReadonlySet<string>> {
    const { prompt, disclosure, contextWindow, catalogs } = this.#options;
    if (disclosure === undefined || disclosure === 'eager') return new Set();
    const paths = prompt.paths.filter((path) => {
      const section = prompt.findSection(path);
      return section !== undefined && section.mayOfferTools && !section.choosesVisibility;
    });
    if (disclosure !== 'auto') return new Set(paths);
    const { rendered } = await this.#render(session, new Map());
    const known = rendered.mcps.map(({ name }) => catalogs.toolsOf(name));
    if (known.some((tools) => tools === undefined)) return new Set(paths);
    const tools = [...rendered.tools, ...known.flatMap((each) => each ?? [])];
    return fitsEagerly(tools, contextWindow) ? new Set() : new Set(paths);
  }
}

/** Every section that is not seen now. */
export function hiddenPaths({ closed }: Pick<Sight, 'closed'>): ReadonlySet<string> {
  return new Set([...closed.keys(), ...[...closed.values()].flat().map(({ path }) => path)]);
}

interface Rendered extends Pick<Sight, 'rendered' | 'closed'> {
  readonly visibility: ReadonlyMap<string, SectionVisibility>;
}

function searchNote(sections: readonly ClosedSection[]): string {
  return `${sections.length} sections are closed. \`search_tools\` finds their tools; \`open_sections\` opens them.`;
}

function firstOfName(servers: readonly McpServer[]): readonly McpServer[] {
  const byName = new Map<string, McpServer>();
  for (const server of servers) if (!byName.has(server.name)) byName.set(server.name, server);
  return [...byName.values()];
}
