import type { ToolRef } from '../../call/tool-ref.ts';
import type { McpServer } from '../../config/server.ts';
import type { Disclosure } from '../../config/section-entry.ts';
import type { BoundPolicy } from '../../policy/tool-policy.ts';
import type { SessionScope } from '../../session/session-scope.ts';
import { isOffered } from '../../tools/tool-filter.ts';
import type { ClosedSection, ClosedTexts, HiddenSection } from '../closed-section.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderOptions } from '../render-options.ts';
import type { RenderedContents, RenderedPrompt } from '../rendered-prompt.ts';
import type { SectionTool } from '../section.ts';
import { entriesOf, VisibilityOverrides } from '../visibility.ts';
import type { SectionVisibility } from '../visibility.ts';
import { fitsEagerly } from './auto-disclosure.ts';
import type { CatalogBook } from './catalog-book.ts';
import { renderClosedList } from './closed-list.ts';
import type { ClosedListLimits } from './closed-list.ts';
import { outlineOf } from './closed-outline.ts';
import type { ToolsOf } from './closed-outline.ts';
import { countRunTokens } from './run-tokens.ts';
import type { OfferedNow } from './run-tokens.ts';
import { pinnedWithin } from './pinned-parts.ts';
import { SectionReadiness } from './section-readiness.ts';
import type { PrepareWish } from './section-readiness.ts';

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
  /** What the agent is given beside a rendering; undefined for one that is no longer the agent's. */
  readonly offeredWith: (contents: RenderedContents) => OfferedNow | undefined;
}

/** Between which moments a look is taken. */
export interface LookOptions {
  /** What was not hidden then stays open. */
  readonly before?: Sight;
  /** These are looked at as closed, whatever the session says. */
  readonly closing?: readonly string[];
}

/** Decides which sections are open, and renders them; knows what the closed ones would bring. */
export class SectionSight {
  readonly #options: SightOptions;
  /** Stay open whatever anybody says: closing waits for the next run. */
  readonly #kept = new Map<string, SectionVisibility>();
  readonly #readiness: SectionReadiness;
  #isEager = false;
  #automatic: ReadonlySet<string> | undefined;

  constructor(options: SightOptions) {
    this.#options = options;
    this.#readiness = new SectionReadiness(options.prompt);
  }

  /** Whether everything is open for good. */
  get isEager(): boolean {
    return this.#isEager;
  }

  /** Opens everything, for good: when the model could not open anything itself. */
  showAll(): void {
    this.#isEager = true;
  }

  /** The sections that the session has opened, in this run or before. */
  openedIn(session: SessionScope): readonly string[] {
    const all = session.slice(VisibilityOverrides).all();
    return all.flatMap(({ path, visibility }) =>
      visibility === 'full' && this.#options.prompt.findSection(path) ? [path] : [],
    );
  }

  /** Lets sections do what they must before they can be shown open; says of which that failed, and why. */
  prepare(paths: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    return this.#readiness.prepare(paths, signal);
  }

  /** The same for what would be open within sections that are to be opened; what fails stays closed. */
  prepareWithin(paths: readonly string[], wish: PrepareWish): Promise<readonly string[]> {
    return this.#readiness.prepareWithin(paths, { ...wish, visibilities: this.#visibilities(wish.session) });
  }

  /** An opening is over, and this is seen now: what was made ready for it and is hidden all the same is put to rest. */
  settle(now: Sight): Promise<void> {
    return this.#readiness.settle(hiddenPaths(now));
  }

  /** The same for all that the session has opened. */
  async prepareOpened(session: SessionScope, signal: AbortSignal | undefined): Promise<void> {
    const opened = this.openedIn(session);
    if (opened.length === 0) return;
    await this.prepare(opened, signal);
    const before = await this.look(session, { closing: opened });
    await this.prepareWithin(opened, { before, session, signal });
    await this.#readiness.settle(new Set());
  }

  /** Renders for a session. */
  async look(session: SessionScope, { before, closing = [] }: LookOptions = {}): Promise<Sight> {
    this.#automatic ??= await this.#closedAutomatically(session);
    const hiddenBefore = before && hiddenPaths(before);
    const mustStay = (path: string): boolean =>
      !this.#readiness.unready.has(path) && (this.#isEager || (hiddenBefore !== undefined && !hiddenBefore.has(path)));
    for (;;) {
      const visibility = new Map([
        ...this.#visibilities(session),
        ...closing.map((path): [string, SectionVisibility] => [path, 'summary']),
      ]);
      const { rendered, closed } = await this.#render(session, visibility);
      const kept = [...closed.keys()].filter(mustStay);
      if (kept.length === 0) return this.#complete({ rendered, closed, visibility }, session);
      for (const path of kept) this.#kept.set(path, 'full');
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
      ...[...this.#readiness.unready].map((path): [string, SectionVisibility] => [path, 'summary']),
    ]);
  }

  async #render(
    session: SessionScope,
    visibility: ReadonlyMap<string, SectionVisibility>,
  ): Promise<Pick<Sight, 'rendered' | 'closed'>> {
    const { prompt, catalogs, render, offeredWith } = this.#options;
    const rendered = await prompt.render({
      countTokens: (contents) =>
        countRunTokens(contents, { prompt, catalogs, session, render, offered: offeredWith(contents) }),
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
    const open = holders.flatMap(([, contents]) =>
      // What is not ready cannot be rendered open, and has nothing that could be pinned.
      contents.map(({ path, unknown }): [string, SectionVisibility] => [
        path,
        unknown === undefined ? 'full' : 'summary',
      ]),
    );
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
        const toolsOf: ToolsOf = (server) => catalogs.toolsOf(server);
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
    // Looked at as closed, because what is not ready cannot be rendered open.
    const { rendered, closed } = await this.#render(session, new Map(paths.map((path) => [path, 'summary'])));
    const hidden = [...closed].flatMap(([path, contents]) => (paths.includes(path) ? contents : []));
    const servers = [...rendered.mcps, ...hidden.flatMap(({ mcps }) => mcps)];
    const known = servers.map((server) => catalogs.toolsOf(server));
    if (known.includes(undefined) || hidden.some(({ unknown }) => unknown !== undefined)) return new Set(paths);
    const tools = [...rendered.tools, ...hidden.flatMap((each) => each.tools), ...known.flatMap((each) => each ?? [])];
    return fitsEagerly(tools, contextWindow) ? new Set() : new Set(paths);
  }
}

/** Every section that is not seen now. */
export function hiddenPaths({ closed }: Pick<Sight, 'closed'>): ReadonlySet<string> {
  return new Set([...closed.keys(), ...[...closed.values()].flat().map(({ path }) => path)]);
}

/** Whether a tool that can be called is part of this. */
export function isInSight({ name, server, tool }: ToolRef, { tools, servers }: Sight): boolean {
  if (server === undefined) return tools.some((other) => other.name === name);
  const declared = servers.find((other) => other.name === server);
  return declared !== undefined && isOffered(declared, tool);
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
