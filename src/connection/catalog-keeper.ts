import type { Clock, Timer } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import type { Logger } from '../logger.ts';
import { EMPTY_CATALOG, listPrompts, listResources, listTemplates, listTools } from './catalog.ts';
import type { Catalog, CatalogLimits, ListContext, Prompt, Resource, ResourceTemplate } from './catalog.ts';
import { ListFreshness } from './list-freshness.ts';
import type { CacheHints } from './list-freshness.ts';
import type { ListName, ProtocolClient } from './protocol-client.ts';
import type { RequestOptions } from './protocol-request.ts';
import { RequestError } from './request-failure.ts';

export interface CatalogKeeperOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: CatalogLimits;
  readonly scrubber: Scrubber;
  readonly requestOptions: RequestOptions;
  /** What the server offered when it was last seen, if that is known. */
  readonly recall: () => Catalog | undefined;
  /** Is given every catalog that should outlast the connection. */
  readonly keep: (catalog: Catalog) => void;
  readonly onChanged: (catalog: Catalog) => void;
}

export interface ResourceLists {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
}

// Servers announce changes in bursts, one per tool.
const DEBOUNCE_MS = 250;

/** Holds what a server last listed, and lists again when the server says that something changed. */
export class CatalogKeeper {
  readonly #options: CatalogKeeperOptions;
  #catalog: Catalog;
  #isRemembered: boolean;
  #client: ProtocolClient | undefined;
  #debounce: Timer | undefined;
  readonly #freshness: ListFreshness;
  #isListing = false;
  #changedMeanwhile = false;

  constructor(options: CatalogKeeperOptions) {
    this.#options = options;
    this.#freshness = new ListFreshness(options.clock);
    const recalled = options.recall();
    this.#isRemembered = recalled !== undefined;
    this.#catalog = recalled ?? EMPTY_CATALOG;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Whether the catalog was recalled and not read in this run. */
  get isRemembered(): boolean {
    return this.#isRemembered;
  }

  /** Lists the tools of a new conversation; other lists are read again when they are asked for. */
  async load(client: ProtocolClient, signal: AbortSignal): Promise<void> {
    this.#isListing = true;
    try {
      const tools = await listTools(this.#context(client, signal));
      // The answer may come after the end: then nothing of it counts.
      signal.throwIfAborted();
      this.#client = client;
      this.#replace({ ...tools });
    } finally {
      this.#endListing();
    }
  }

  /** The server says that a list is out of date. */
  changed(list: ListName): void {
    if (list === 'tools') {
      if (this.#isListing) this.#changedMeanwhile = true;
      else this.#debounce ??= this.#options.clock.after(DEBOUNCE_MS, () => void this.refresh());
      return;
    }
    const { resources, templates, ...withoutResources } = this.#catalog;
    const { prompts, ...withoutPrompts } = this.#catalog;
    const wasKnown = list === 'resources' ? (resources ?? templates) : prompts;
    // A new object even if nothing was known: a list that is being read now is out of date.
    this.#catalog = list === 'resources' ? withoutResources : withoutPrompts;
    if (wasKnown) this.#options.onChanged(this.#catalog);
  }

  async resources(client: ProtocolClient, signal?: AbortSignal): Promise<ResourceLists> {
    const before = this.#catalog;
    if (before.resources && before.templates && this.#isCurrent(client, 'resources')) {
      return { resources: before.resources, templates: before.templates };
    }
    const context = this.#context(client, signal);
    const [resources, templates] = await Promise.all([
      listResources(context),
      listTemplates(context).catch(noneIfRefused),
    ]);
    if (this.#catalog === before) this.#learn({ ...before, resources, templates });
    return { resources, templates };
  }

  async prompts(client: ProtocolClient, signal?: AbortSignal): Promise<readonly Prompt[]> {
    const before = this.#catalog;
    if (before.prompts && this.#isCurrent(client, 'prompts')) return before.prompts;
    const prompts = await listPrompts(this.#context(client, signal));
    if (this.#catalog === before) this.#learn({ ...before, prompts });
    return prompts;
  }

  /** The tools are about to be used: a list whose time is over is read again in the background. */
  touch(client: ProtocolClient): void {
    if (!client.announces('tools') && this.#freshness.isStale('tools')) this.changed('tools');
  }

  /** The conversation is over: what was listed stays as last good, nothing is refreshed. */
  stop(): void {
    this.#client = undefined;
    this.#debounce?.cancel();
    this.#debounce = undefined;
    this.#changedMeanwhile = false;
    this.#freshness.forget();
  }

  /** Lists the tools again; a list that fails leaves the last good one. */
  async refresh(): Promise<void> {
    this.#debounce = undefined;
    const client = this.#client;
    if (!client) return;
    this.#isListing = true;
    try {
      const tools = await listTools(this.#context(client));
      if (client === this.#client) this.#replace({ ...this.#catalog, ...tools });
    } catch (error) {
      if (client !== this.#client) return;
      this.#options.logger.log('warn', 'tools could not be listed again; the last list is kept', {
        error: messageOf(error),
      });
    } finally {
      this.#endListing();
    }
  }

  /** What was announced while a list was being read may be missing in it. */
  #endListing(): void {
    this.#isListing = false;
    const isOutOfDate = this.#changedMeanwhile && this.#client !== undefined;
    this.#changedMeanwhile = false;
    if (isOutOfDate) this.changed('tools');
  }

  /** A list that was read once is true while its server would say otherwise, or for the time it was given. */
  #isCurrent(client: ProtocolClient, list: ListName): boolean {
    return client.announces(list) || this.#freshness.isFresh(list);
  }

  #learn(catalog: Catalog): void {
    const cacheScope = this.#freshness.scope;
    this.#catalog = cacheScope ? { ...catalog, cacheScope } : catalog;
    this.#options.keep(this.#catalog);
  }

  #replace(catalog: Catalog): void {
    this.#isRemembered = false;
    this.#learn(catalog);
    for (const warning of catalog.warnings) this.#options.logger.log('warn', warning);
    this.#options.onChanged(this.#catalog);
  }

  #context(client: ProtocolClient, signal?: AbortSignal): ListContext {
    const { limits, requestOptions, scrubber } = this.#options;
    const onHints = (list: ListName, hints: CacheHints): void => this.#freshness.read(list, hints);
    return { client, limits, scrubber, options: { ...requestOptions, ...(signal && { signal }) }, onHints };
  }
}

/** Many servers have resources but do not know templates; one that does not answer is another matter. */
function noneIfRefused(error: unknown): readonly ResourceTemplate[] {
  if (error instanceof RequestError && (error.failure.kind === 'rpc-error' || error.failure.kind === 'invalid-result'))
    return [];
  throw error;
}
