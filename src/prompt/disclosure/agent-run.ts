import type { CallOptions, ToolAddress } from '../../bridge/call-options.ts';
import type { CallReport } from '../../bridge/call-report.ts';
import { Caller } from '../../bridge/caller.ts';
import type { NativeTool } from '../../bridge/native-tool.ts';
import type { Tool } from '../../bridge/tool.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import type { Hub } from '../../hub/hub.ts';
import { silentLogger } from '../../logger.ts';
import { ResourceContainer } from '../../session/resource-container.ts';
import { Session } from '../../session/session.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderedContents, RenderedPrompt } from '../rendered-prompt.ts';
import type { AgentRunOptions } from './agent-run-options.ts';
import { viewOptions } from './agent-run-options.ts';
import { CatalogBook } from './catalog-book.ts';
import { DEFAULT_LIST_LIMITS } from './closed-list.ts';
import { DeferredTools } from './deferred-tools.ts';
import { DISCLOSURE_TOOL_NAMES, disclosureTools, SEARCH_TOOLS } from './disclosure-tools.ts';
import { OfferedTools } from './offered-tools.ts';
import { DEFAULT_DEFINITION_TOKENS, toolsText } from './opened-text.ts';
import { promptRendered, sectionsOpened } from './run-events.ts';
import { RunSearch } from './run-search.ts';
import { RunStage } from './run-stage.ts';
import type { StageOptions } from './run-stage.ts';
import type { OfferedNow, RunTokens } from './run-tokens.ts';
import { RunDesk } from './section-desk.ts';
import type { BringRequest, Brought } from './section-desk.ts';
import { isInSight, SectionSight } from './section-sight.ts';
import type { Sight } from './section-sight.ts';
import { ShownTools } from './shown-tools.ts';
import type { VisibilityExpansionRequired } from './visibility-expansion.ts';
import { wakeUnknown } from './wake-unknown.ts';
import { WorkQueue } from './work-queue.ts';

/** One agent's work on one prompt: what it reads, the tools it has, and how it calls them and gets to see more. */
export class AgentRun implements AsyncDisposable {
  readonly session: Session;
  readonly prompt: Prompt;
  readonly #options: AgentRunOptions;
  readonly #clock: Clock;
  readonly #catalogs: CatalogBook;
  readonly #view: Hub;
  readonly #sight: SectionSight;
  readonly #caller: Caller;
  readonly #resources: ResourceContainer;
  readonly #search: RunSearch;
  readonly #shown: ShownTools;
  readonly #offered: OfferedTools;
  readonly #deferred: DeferredTools;
  readonly #stage: RunStage;
  /** What opens, one after the other: each begins with what the one before it has opened. */
  readonly #queue = new WorkQueue();
  readonly #stopListening: readonly (() => void)[];
  #text: string;
  #notes = '';
  #rendered: RenderedPrompt | undefined;
  #bringing: Promise<unknown> = Promise.resolve();
  #expansion: VisibilityExpansionRequired | undefined;

  /** Renders the prompt and has exactly the servers of its open sections; those of which nothing is known are started. */
  static async open(prompt: Prompt, options: AgentRunOptions): Promise<AgentRun> {
    const session = options.session ?? new Session();
    const catalogs = new CatalogBook(options.hub, viewOptions(options, session));
    let run: AgentRun | undefined;
    const sight = new SectionSight({
      prompt,
      catalogs,
      disclosure: options.disclosure,
      contextWindow: options.contextWindow,
      limits: options.closedList ?? DEFAULT_LIST_LIMITS,
      render: options.render ?? {},
      offeredWith: (contents) => (run ? run.#offeredWith(contents) : undefined),
    });
    try {
      await sight.prepareOpened(session, options.signal);
      const first = await sight.look(session);
      run = new AgentRun({ prompt, options, session, catalogs, sight, first });
      await run.#begin();
      return run;
    } catch (error) {
      await (run ?? catalogs).close();
      throw error;
    }
  }

  private constructor({ prompt, options, session, catalogs, sight, first }: RunParts) {
    const { hub, signal: _signal, embedder, render: { logger = silentLogger } = {}, ...rest } = options;
    this.prompt = prompt;
    this.session = session;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#catalogs = catalogs;
    this.#sight = sight;
    this.#text = first.rendered.text;
    this.#offered = new OfferedTools(this.#createTools());
    // Before there is a view: what throws here would leave it open.
    const tools = this.#offered.of(first);
    this.#view = hub.view({ ...viewOptions(options, session), servers: first.servers });
    this.#view.on('tools-changed', () => this.#changed());
    this.#search = new RunSearch({ catalogs, embedder, logger });
    this.#resources = new ResourceContainer(prompt.resources, { logger });
    this.#deferred = new DeferredTools(options.definitionTokens ?? DEFAULT_DEFINITION_TOKENS);
    this.#caller = new Caller({
      ...rest,
      hub: this.#view,
      session,
      prompt,
      resources: this.#resources,
      tools,
      sectionPolicies: first.policies,
    });
    this.#shown = new ShownTools({
      caller: this.#caller,
      view: this.#view,
      deferred: this.#deferred,
      call: (address, args, more) => this.call(address, args, more),
    });
    this.#stage = new RunStage({
      session,
      sight,
      first,
      view: this.#view,
      caller: this.#caller,
      offered: this.#offered,
      logger,
      onShown: () => this.#changed(),
    });
    this.#stopListening = prompt.paths.flatMap(
      (path) => prompt.findSection(path)?.onToolsChanged(() => this.#refresh()) ?? [],
    );
  }

  /** What the model reads; opening sections does not change it, so that what providers cache of it stays valid. */
  get text(): string {
    return this.#text;
  }

  /** The prompt as it is rendered now, with what was opened. */
  get rendered(): RenderedPrompt {
    this.#rendered ??= this.#stage.current.rendered.recounted();
    return this.#rendered;
  }

  /** What text and tools cost the model now, by section, and what they would with everything open. */
  async tokens(): Promise<RunTokens> {
    return (await this.rendered.tokens) as RunTokens;
  }

  /** The servers in use. */
  get hub(): Hub {
    return this.#view;
  }

  /** Set when the model wants sections opened and the run was told to begin anew for that. */
  get expansion(): VisibilityExpansionRequired | undefined {
    return this.#expansion;
  }

  /** The tools in sight: those by which more is seen first, what was opened last; none ever changes its place. */
  tools(): readonly Tool[] {
    return this.#shown.shown;
  }

  /** Runs one call through the whole pipeline; what it opens or closes is in sight when it is over. */
  async call(address: ToolAddress, args: JsonObject = {}, options: CallOptions = {}): Promise<CallReport> {
    const name = typeof address === 'string' ? address : this.#view.toolName(address.server, address.tool);
    // What is called is worth its definition.
    this.#define([name]);
    if (DISCLOSURE_TOOL_NAMES.has(name)) return this.#queue.run(() => this.#disclose(address, args, options));
    const report = await this.#caller.call(address, args, options);
    // A result that was cut brings the tool that reads on.
    if (report.truncated) this.#changed();
    // What is only shown for the time being is settled by the call that shows it.
    if (this.#queue.isBusy ? this.#stage.isChanged : !this.#stage.isSettled)
      await this.#queue.run(() => this.#stage.settle(options.signal));
    return report;
  }

  /** Lets go of the servers and of what the prompt's resources hold. */
  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await Promise.all([this.#view.close(), this.#catalogs.close(), this.#resources.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(): Promise<void> {
    const { signal, render } = this.#options;
    if (this.#offered.areUnreachable(this.#caller.tools())) {
      // What nobody can get to see must not be hidden.
      render?.logger?.log('warn', 'a policy refuses to open sections, so all of them are shown');
      await this.#stage.showAll(signal);
      this.#text = this.#stage.current.rendered.text;
    }
    await wakeUnknown(this.#view, this.#stage.unknownServers(), { ...(signal && { signal }) });
    signal?.throwIfAborted();
    await this.#holdBack();
    this.session.dispatch(promptRendered(this, this.#stage.current, this.#clock.now()));
  }

  /** What was opened before this run is no cheaper in it: large sections are told by a line for each tool. */
  async #holdBack(): Promise<void> {
    const closing = this.#sight.openedIn(this.session);
    if (closing.length === 0 || this.#sight.isEager) return;
    const without = await this.#sight.look(this.session, { closing });
    const opened = this.#shown
      .callable()
      .filter((tool) => !DISCLOSURE_TOOL_NAMES.has(tool.name) && !isInSight(tool, without));
    if (this.#deferred.defer(opened) === 'shown') return;
    this.#offered.need(SEARCH_TOOLS);
    const { current } = this.#stage;
    this.#caller.replace({ tools: this.#offered.of(current), sectionPolicies: current.policies });
    if (this.#offered.areUnreachable(this.#caller.tools())) this.#deferred.keepOnly(new Set());
    else this.#notes = toolsText(opened, 'deferred');
    if (this.#notes !== '') this.#text += `\n\n${this.#notes}`;
    this.#changed();
  }

  async #disclose(address: ToolAddress, args: JsonObject, options: CallOptions): Promise<CallReport> {
    const heldBack = this.#deferred.names;
    const report = await this.#caller.call(address, args, options);
    // One that was given up may still be at work.
    await this.#bringing;
    if (!report.success) this.#deferred.keepOnly(heldBack);
    if (report.truncated) this.#changed();
    await this.#stage.settle(options.signal);
    if (!this.#expansion) await this.#sight.settle(this.#stage.current);
    return report;
  }

  #refresh(): void {
    this.#stage.expire();
    void this.#queue.run(() => this.#stage.settle());
  }

  #bring(sight: Sight, request: BringRequest): Promise<Brought> {
    const bringing = this.#bringNow(sight, request);
    this.#bringing = bringing.catch(() => undefined);
    return bringing;
  }

  async #bringNow(sight: Sight, { sections, reason, context }: BringRequest): Promise<Brought> {
    // Before anything is added, so that what was there has its place.
    const before = new Set(this.#shown.callable().map(({ name }) => name));
    this.tools();
    const fresh = await this.#stage.show(sight);
    const { signal } = context;
    const failed = await wakeUnknown(this.#view, fresh, { signal, onProgress: (told) => context.progress(told) });
    signal.throwIfAborted();
    const tools = this.#shown.callable().filter(({ name }) => !before.has(name) && !DISCLOSURE_TOOL_NAMES.has(name));
    const definitions = this.#deferred.defer(tools);
    this.#changed();
    const told = { sections, reason, servers: fresh, failed: failed.map(({ server }) => server) };
    context.session.dispatch(sectionsOpened(this, told, this.#clock.now()));
    return { tools, failed, definitions };
  }

  #createTools(): readonly NativeTool[] {
    return disclosureTools(
      new RunDesk({
        prompt: this.prompt,
        sight: this.#sight,
        expansion: this.#options.expansion ?? 'append',
        current: () => this.#stage.current,
        bring: (sight, request) => this.#bring(sight, request),
        park: (expansion) => (this.#expansion ??= expansion),
        find: (request, { signal }) =>
          this.#search.find(request, { sight: this.#stage.current, tools: this.#shown.callable(), signal }),
        define: (names) => this.#define(names),
      }),
    );
  }

  #define(names: readonly string[]): readonly Tool[] {
    const defined = new Set(this.#deferred.define(names));
    if (defined.size === 0) return [];
    this.#changed();
    return this.tools().filter(({ name }) => defined.has(name));
  }

  #changed(): void {
    this.#shown.changed();
    this.#rendered = undefined;
  }

  #offeredWith(contents: RenderedContents): OfferedNow | undefined {
    if (contents.closedSections !== this.#stage.current.rendered.closedSections) return undefined;
    return { tools: this.tools(), deferred: this.#deferred.heldBack(this.#shown.callable()), notes: this.#notes };
  }
}

interface RunParts extends Pick<StageOptions, 'session' | 'sight' | 'first'> {
  readonly catalogs: CatalogBook;
  readonly prompt: Prompt;
  readonly options: AgentRunOptions;
}
