import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { InProcessServer } from '../config/in-process-server.ts';
import { environmentSource } from '../config/secret-sources.ts';
import type { SecretSource } from '../config/secret-sources.ts';
import type { ServerRequestHandlers } from '../connection/server-requests.ts';
import type { IsolationConfig } from '../isolation/isolation-config.ts';
import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import type { AuthorizationOptions } from '../transport/authorization.ts';
import { VERSION } from '../version.ts';
import { ConnectionPool } from './connection-pool.ts';
import { NO_CATALOG_CACHE } from './catalog-cache.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { createEraStore } from './era-store.ts';
import type { EraStore } from './era-store.ts';
import { DEFAULT_HUB_LIMITS } from './hub-limits.ts';
import type { HubLimits } from './hub-limits.ts';
import { HubView } from './hub-view.ts';
import type { ViewContext, ViewOptions } from './view-options.ts';

export interface HubOptions extends ViewOptions {
  /** Where `${NAME}` is looked up, first source first; the process environment by default. */
  readonly secrets?: readonly SecretSource[];
  /** Servers in this process, by the name that an `sdk` transport gives. */
  readonly inProcess?: Readonly<Record<string, InProcessServer | (() => InProcessServer)>>;
  readonly limits?: Partial<HubLimits>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Who answers what servers ask; everything is off unless it is given and the server's declaration allows it. */
  readonly handlers?: ServerRequestHandlers;
  /** How to log in to servers that ask for it. */
  readonly authorization?: AuthorizationOptions;
  /** Where it is kept what servers offer, so that tools are known before a server is started. */
  readonly catalogs?: CatalogCache;
  /** Where it is kept which protocol era a server speaks. */
  readonly eras?: EraStore;
  /** `off` never starts servers in a pid namespace, even where that works. */
  readonly pidNamespace?: 'auto' | 'off';
  /** False sends calls to stdio servers through the SDK's client too, which is slower and does the same. */
  readonly directCalls?: boolean;
}

/** The hub of one process: owns the connections, and every process behind them. */
export class LocalHub extends HubView {
  readonly #context: ViewContext;
  readonly #views = new Set<HubView>();
  readonly #isolation: IsolationConfig | undefined;

  constructor(options: HubOptions = {}) {
    const clock = options.clock ?? systemClock;
    const limits = { ...DEFAULT_HUB_LIMITS, ...options.limits };
    const pool = new ConnectionPool({
      limits,
      clock,
      secrets: options.secrets ?? [environmentSource(process.env)],
      inProcess: new Map(Object.entries(options.inProcess ?? {})),
      logger: options.logger ?? silentLogger,
      random: options.random ?? Math.random,
      version: VERSION,
      pidNamespace: options.pidNamespace ?? 'auto',
      hasDirectCalls: options.directCalls ?? true,
      handlers: options.handlers ?? {},
      authorization: options.authorization ?? {},
      eras: options.eras ?? createEraStore(),
      catalogs: options.catalogs ?? NO_CATALOG_CACHE,
    });
    const context = { pool, limits, clock };
    super(options, context);
    this.#context = context;
    this.#isolation = options.isolation;
  }

  /** Another set of names over the same connections, for another session or principal. */
  view(options: ViewOptions = {}): HubView {
    this.requireOpen();
    const own = this.#isolation && { isolation: this.#isolation };
    const view = new HubView({ ...own, ...options }, { ...this.#context, onClosed: () => this.#views.delete(view) });
    this.#views.add(view);
    return view;
  }

  override async close(options: { readonly drainMs?: number } = {}): Promise<void> {
    await Promise.all([super.close(options), ...[...this.#views].map((view) => view.close(options))]);
    await this.#context.pool.close();
  }
}
