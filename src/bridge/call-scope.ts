import type { CallResources } from '../session/resource-call.ts';
import type { ResourceContainer } from '../session/resource-container.ts';
import type { ResourceKey, ResourceLookup } from '../session/resource-key.ts';
import type { Session } from '../session/session.ts';
import type { SessionScope } from '../session/session-scope.ts';
import type { Transaction } from '../session/transaction.ts';
import type { CallOptions } from './call-options.ts';

/** What a call stands on: a session and its resources, or the call that it is part of. */
export interface CallGround {
  readonly session: Session | Transaction;
  readonly resources: ResourceContainer | CallResources | undefined;
}

/** Where a call stands that is told to be within another: in that one, if both are of one session. */
export function groundWithin(own: CallGround, within: CallOptions['within']): CallGround {
  if (!(within?.resources instanceof CallScope) || within.session.id !== own.session.id) return own;
  const { session, resources } = within.resources.inside;
  return { session, resources: own.resources ?? resources };
}

/** What one call may change, all of it kept or none; a call that changes nothing costs nothing. */
export class CallScope implements ResourceLookup {
  readonly #ground: CallGround;
  readonly #isReadOnly: boolean;
  #transaction: Transaction | undefined;
  #resources: CallResources | undefined;

  constructor(ground: CallGround, isReadOnly: boolean) {
    this.#ground = ground;
    this.#isReadOnly = isReadOnly;
  }

  /** The call's transaction; what a read-only tool's call leaves behind needs none. */
  get session(): SessionScope {
    if (this.#isReadOnly) return this.#ground.session;
    this.#transaction ??= this.#ground.session.begin();
    return this.#transaction;
  }

  /** The session as it is before the call has changed anything. */
  get before(): SessionScope {
    return this.#transaction ?? this.#ground.session;
  }

  get<Resource>(key: ResourceKey<Resource>): Resource | undefined {
    return this.#openResources()?.get(key);
  }

  /** Where a call stands that is part of this one. */
  get inside(): CallGround {
    if (this.#isReadOnly) return { session: this.#ground.session, resources: this.#openResources() };
    this.#transaction ??= this.#ground.session.begin();
    return { session: this.#transaction, resources: this.#openResources() };
  }

  /** Keeps everything; fails, with nothing kept in the session, if a resource cannot. A promise only if one has to. */
  commit(): void | Promise<void> {
    if (!this.#resources) return this.#transaction?.commit();
    return this.#resources.commit().then(() => this.#transaction?.commit());
  }

  /** Undoes what was not committed, and closes what was made for this call alone. */
  close(): void | Promise<void> {
    this.#transaction?.rollback();
    return this.#resources?.close();
  }

  #openResources(): CallResources | undefined {
    this.#resources ??= this.#ground.resources?.openCall({ readOnly: this.#isReadOnly });
    return this.#resources;
  }
}
