import type { CallOptions, ToolAddress } from '../../bridge/call-options.ts';
import type { CallReport } from '../../bridge/call-report.ts';
import { Caller } from '../../bridge/caller.ts';
import type { NativeTool } from '../../bridge/native-tool.ts';
import type { Tool } from '../../bridge/tool.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import type { McpServer } from '../../config/server.ts';
import type { Hub } from '../../hub/hub.ts';
import { silentLogger } from '../../logger.ts';
import { ResourceContainer } from '../../session/resource-container.ts';
import { Session } from '../../session/session.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderedPrompt } from '../rendered-prompt.ts';
import { activeServers } from './active-servers.ts';
import type { AgentRunOptions } from './agent-run-options.ts';
import { viewOptions } from './agent-run-options.ts';
import { CatalogBook } from './catalog-book.ts';
import { DEFAULT_LIST_LIMITS } from './closed-list.ts';
import { DeferredTools } from './deferred-tools.ts';
import { DISCLOSURE_TOOL_NAMES, openSectionsTool, readSectionTool, searchToolsTool } from './disclosure-tools.ts';
import { OfferedTools } from './offered-tools.ts';
import { DEFAULT_DEFINITION_TOKENS } from './opened-text.ts';
import type { PromptRendered, SectionsOpened } from './run-events.ts';
import { RunSearch } from './run-search.ts';
import { withTools } from './run-tokens.ts';
import type { RunTokens } from './run-tokens.ts';
import { RunDesk } from './section-desk.ts';
import type { BringRequest, Brought } from './section-desk.ts';
import { SectionSight } from './section-sight.ts';
import type { Sight } from './section-sight.ts';
import { overridesOf } from './session-overrides.ts';
import { StableOrder } from './stable-order.ts';
import type { VisibilityExpansionRequired } from './visibility-expansion.ts';
import { wakeUnknown } from './wake-unknown.ts';

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
  readonly #order = new StableOrder();
  readonly #offered: OfferedTools;
  readonly #deferred: DeferredTools;
  #current: Sight;
  #text: string;
  #committed: Committed;
  #queue: Promise<unknown> = Promise.resolve();
  #isProvisional = false;
  #tools: readonly Tool[] | undefined;
  #expansion: VisibilityExpansionRequired | undefined;

  /** Renders the prompt and has exactly the servers of its open sections; those of which nothing is known are started. */
  static async open(prompt: Prompt, options: AgentRunOptions): Promise<AgentRun> {
    const session = options.session ?? new Session();
    const catalogs = new CatalogBook(options.hub, viewOptions(options, session));
    const sight = new SectionSight({
      prompt,
      catalogs,
      disclosure: options.disclosure,
      contextWindow: options.contextWindow,
      limits: options.closedList ?? DEFAULT_LIST_LIMITS,
      render: options.render ?? {},
    });
    let run: AgentRun | undefined;
    try {
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
    const { hub, signal: _signal, render: _render, ...rest } = options;
    this.prompt = prompt;
    this.session = session;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#catalogs = catalogs;
    this.#search = new RunSearch(catalogs);
    this.#sight = sight;
    this.#current = first;
    this.#text = first.rendered.text;
    this.#committed = { sight: first, overrides: overridesOf(session), servers: first.servers };
    this.#view = hub.view({ ...viewOptions(options, session), servers: first.servers });
    this.#view.on('tools-changed', () => (this.#tools = undefined));
    this.#resources = new ResourceContainer(prompt.resources, { logger: options.render?.logger ?? silentLogger });
    this.#deferred = new DeferredTools(options.definitionTokens ?? DEFAULT_DEFINITION_TOKENS);
    this.#offered = new OfferedTools(this.#createTools());
    this.#caller = new Caller({
      ...rest,
      hub: this.#view,
      session,
      prompt,
      resources: this.#resources,
      tools: this.#offered.of(first),
      sectionPolicies: first.policies,
    });
  }

  /** What the model reads; opening sections does not change it, so that what providers cache of it stays valid. */
  get text(): string {
    return this.#text;
  }

  /** The prompt as it is rendered now, with what was opened. */
  get rendered(): RenderedPrompt {
    return this.#current.rendered;
  }

  /** What text and tools cost the model now, by section, and what they would with everything open. */
  async tokens(): Promise<RunTokens> {
    return withTools((await this.rendered.tokens) as RunTokens, this.tools());
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
    // Kept until something changes: agents ask at every turn, and there may be thousands.
    this.#tools ??= this.#order.sorted(this.#deferred.shown(this.#callable()));
    return this.#tools;
  }

  /** Runs one call through the whole pipeline; what it opens or closes is in sight when it is over. */
  call(address: ToolAddress, args: JsonObject = {}, options: CallOptions = {}): Promise<CallReport> {
    const isOpening = typeof address === 'string' && DISCLOSURE_TOOL_NAMES.has(address);
    // What is called is worth its definition.
    if (typeof address === 'string') this.#define([address]);
    if (!isOpening) return this.#call(address, args, options);
    // One after the other: each begins with what the one before it has opened.
    const turn = this.#queue.then(() => this.#call(address, args, options));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Lets go of the servers and of what the prompt's resources hold. */
  async close(): Promise<void> {
    await Promise.all([this.#view.close(), this.#catalogs.close(), this.#resources.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(): Promise<void> {
    if (this.#offered.areUnreachable(this.#caller.tools())) {
      // What nobody can get to see must not be hidden.
      this.#options.render?.logger?.log('warn', 'a policy refuses to open sections, so all of them are shown');
      this.#sight.showAll();
      await this.#show(await this.#sight.look(this.session));
      this.#text = this.#current.rendered.text;
      this.#commit();
    }
    const { signal } = this.#options;
    await wakeUnknown(this.#view, this.#unknownServers(), { ...(signal && { signal }) });
    const { ns, key } = this.prompt;
    const event: PromptRendered = {
      type: 'prompt-rendered',
      at: this.#clock.now(),
      sessionId: this.session.id,
      ns,
      key,
      characters: this.#text.length,
      servers: this.#current.servers.map(({ name }) => name),
      closedSections: [...this.#current.closed.keys()],
    };
    this.session.dispatch(event);
  }

  async #call(address: ToolAddress, args: JsonObject, options: CallOptions): Promise<CallReport> {
    const report = await this.#caller.call(address, args, options);
    // A result that was cut brings the tool that reads on.
    if (report.truncated) this.#tools = undefined;
    if (this.#isProvisional || overridesOf(this.session) !== this.#committed.overrides) await this.#settle();
    return report;
  }

  /** Sees what was really committed: a call that opened something may have been rolled back. */
  async #settle(): Promise<void> {
    this.#isProvisional = false;
    const sight = await this.#sight.look(this.session, this.#committed.sight);
    const fresh = await this.#show(sight);
    this.#commit();
    await wakeUnknown(this.#view, fresh, {});
  }

  #commit(): void {
    const sight = this.#current;
    this.#committed = { sight, overrides: overridesOf(this.session), servers: this.#view.servers() };
  }

  /** Gives the servers that are new and of which nothing is known. */
  async #show(sight: Sight): Promise<readonly string[]> {
    const known = new Set(this.#view.servers().map(({ name }) => name));
    this.#current = sight;
    await this.#view.setServers(activeServers(this.#committed.servers, sight.servers), { connect: false });
    this.#caller.replace({ tools: this.#offered.of(sight), sectionPolicies: sight.policies });
    this.#tools = undefined;
    return this.#unknownServers().filter((name) => !known.has(name));
  }

  async #bring(sight: Sight, { sections, reason, context }: BringRequest): Promise<Brought> {
    // Before anything is added, so that what was there has its place.
    const before = new Set(this.#callable().map(({ name }) => name));
    this.tools();
    this.#isProvisional = true;
    const fresh = await this.#show(sight);
    const failed = await wakeUnknown(this.#view, fresh, {
      signal: context.signal,
      onProgress: (progress) => context.progress(progress),
    });
    const tools = this.#callable().filter(({ name }) => !before.has(name) && !DISCLOSURE_TOOL_NAMES.has(name));
    const definitions = this.#deferred.defer(tools);
    const event: SectionsOpened = {
      type: 'sections-opened',
      at: this.#clock.now(),
      sessionId: this.session.id,
      sections,
      reason,
      servers: fresh,
      failed: failed.map(({ server }) => server),
    };
    context.session.dispatch(event);
    return { tools, failed, definitions };
  }

  #unknownServers(): readonly string[] {
    return this.#current.servers.map(({ name }) => name).filter((name) => !this.#catalogs.toolsOf(name));
  }

  #createTools(): readonly NativeTool[] {
    const desk = new RunDesk({
      prompt: this.prompt,
      sight: this.#sight,
      expansion: this.#options.expansion ?? 'append',
      current: () => this.#current,
      bring: (sight, request) => this.#bring(sight, request),
      park: (expansion) => (this.#expansion ??= expansion),
      find: (request) => this.#search.find(request, this.#current, this.#callable()),
      define: (names) => this.#define(names),
    });
    return [openSectionsTool(desk), readSectionTool(desk), searchToolsTool(desk)];
  }

  /** Everything that a call would reach, whether or not its definition is shown. */
  #callable(): readonly Tool[] {
    return this.#caller.tools().map((tool) => ({ ...tool, run: this.#runOf(tool) }));
  }

  #define(names: readonly string[]): readonly Tool[] {
    const defined = new Set(this.#deferred.define(names));
    if (defined.size === 0) return [];
    this.#tools = undefined;
    return this.tools().filter(({ name }) => defined.has(name));
  }

  #runOf({ name, server, tool }: Tool): Tool['run'] {
    const address = server === undefined || this.#view.toolName(server, tool) !== name ? name : { server, tool };
    return (args, options) => this.call(address, args, options);
  }
}

/** What is in sight for good, whatever becomes of a call that is opening more. */
interface Committed {
  readonly sight: Sight;
  readonly overrides: string;
  readonly servers: readonly McpServer[];
}

interface RunParts {
  readonly prompt: Prompt;
  readonly options: AgentRunOptions;
  readonly session: Session;
  readonly catalogs: CatalogBook;
  readonly sight: SectionSight;
  readonly first: Sight;
}
