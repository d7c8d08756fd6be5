import type { Caller } from '../../bridge/caller.ts';
import type { McpServer } from '../../config/server.ts';
import { messageOf } from '../../errors.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Logger } from '../../logger.ts';
import type { Session } from '../../session/session.ts';
import { activeServers } from './active-servers.ts';
import { isListed } from './catalog-book.ts';
import type { OfferedTools } from './offered-tools.ts';
import { hiddenPaths } from './section-sight.ts';
import type { SectionSight, Sight } from './section-sight.ts';
import { overridesOf } from './session-overrides.ts';
import { wakeUnknown } from './wake-unknown.ts';

export interface StageOptions {
  readonly session: Session;
  readonly sight: SectionSight;
  /** The servers in use, and no others. */
  readonly view: Hub;
  readonly caller: Caller;
  readonly offered: OfferedTools;
  readonly first: Sight;
  readonly logger: Logger;
  readonly onShown: () => void;
}

/** What of a prompt an agent sees and can call now. A call that opens something changes it for the time being; settling makes it what was committed. */
export class RunStage {
  readonly #options: StageOptions;
  #current: Sight;
  #committed: Committed;
  #servers: readonly McpServer[];
  #isProvisional = false;
  #isStale = false;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#current = options.first;
    this.#servers = options.first.servers;
    this.#committed = {
      sight: options.first,
      overrides: overridesOf(options.session),
      servers: options.first.servers,
    };
  }

  get current(): Sight {
    return this.#current;
  }

  /** Whether another look would show something else than what was committed. */
  get isChanged(): boolean {
    return this.#isStale || overridesOf(this.#options.session) !== this.#committed.overrides;
  }

  get isSettled(): boolean {
    return !this.#isProvisional && !this.isChanged;
  }

  /** What a section offers is no longer what it was. */
  expire(): void {
    this.#isStale = true;
  }

  /** Makes this what the agent sees, until it is committed or settled; gives the servers that are new and of which nothing is known. */
  async show(sight: Sight): Promise<readonly string[]> {
    const { view, caller, offered, onShown } = this.#options;
    const known = new Set(view.servers().map(({ name }) => name));
    this.#isProvisional = true;
    this.#current = sight;
    this.#servers = activeServers(this.#committed.servers, sight.servers);
    await view.setServers(this.#servers, { connect: false });
    caller.replace({ tools: offered.of(sight), sectionPolicies: sight.policies });
    onShown();
    return this.unknownServers().filter((name) => !known.has(name));
  }

  /** Opens everything that can be, for good. */
  async showAll(signal?: AbortSignal): Promise<void> {
    const { sight } = this.#options;
    await sight.prepare([...hiddenPaths(this.#current)], signal);
    sight.showAll();
    await this.#lookAndCommit();
  }

  /** Sees what was really committed: a call that opened something may have been rolled back. Never throws, because that call was made. */
  async settle(signal?: AbortSignal): Promise<void> {
    if (this.isSettled) return;
    const { view, logger } = this.#options;
    const before = this.#committed.sight;
    const wasStale = this.#isStale;
    try {
      const fresh = await this.#lookAndCommit(before);
      await wakeUnknown(view, fresh, signal ? { signal } : {});
    } catch (error) {
      const reason = view.scrubber.scrub(messageOf(error));
      logger.log('warn', 'the prompt cannot be rendered now, so it stays as it was; the next call tries again', {
        reason,
      });
      this.#isStale ||= wasStale;
      await this.#showAgain(before);
    }
  }

  /** The servers in use of which nobody knows what they offer. */
  unknownServers(): readonly string[] {
    const { view } = this.#options;
    const listed = new Set(view.tools().map(({ server }) => server));
    const names = this.#current.servers.map(({ name }) => name);
    return names.filter((name) => !listed.has(name) && !isListed(view.serverStatus(name)));
  }

  async #lookAndCommit(before?: Sight): Promise<readonly string[]> {
    const { session, sight } = this.#options;
    // As of before the look: what changes while it is taken is for the next one.
    this.#isStale = false;
    const overrides = overridesOf(session);
    const fresh = await this.show(await sight.look(session, before ? { before } : {}));
    this.#isProvisional = false;
    this.#committed = { sight: this.#current, overrides, servers: this.#servers };
    return fresh;
  }

  /** What cannot be rendered must not leave in sight what was taken back. */
  async #showAgain(before: Sight): Promise<void> {
    try {
      await this.show(before);
    } catch {
      // The run is closed, and nothing is seen any more.
    }
    this.#isProvisional = false;
  }
}

/** What is in sight for good, whatever becomes of a call that is opening more. */
interface Committed {
  readonly sight: Sight;
  readonly overrides: string;
  readonly servers: readonly McpServer[];
}
