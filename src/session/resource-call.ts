import { McpError, messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Binding } from './resource-binding.ts';
import { closeInReverse } from './resource-disposal.ts';
import type { ResourceKey, ResourceLookup } from './resource-key.ts';
import type { ResourceMaker } from './resource-maker.ts';
import type { ResourceSnapshots } from './resource-snapshots.ts';
import { isSnapshotable, isTransactional } from './resource-transaction.ts';
import type { ResourceConflict, ResourceTransaction } from './resource-transaction.ts';

export interface OpenCallOptions {
  /** Takes no snapshots and no transactions; writing through a view throws. */
  readonly readOnly?: boolean;
}

/** What a call needs of the container it belongs to. */
export interface CallOwner {
  readonly maker: ResourceMaker;
  readonly snapshots: ResourceSnapshots;
  readonly logger: Logger;
  find(key: ResourceKey<unknown>): Binding | undefined;
  singleton(binding: Binding): unknown;
  report(conflict: ResourceConflict): void;
}

/** The resources of one tool call; nothing is allocated before one is asked for. */
export class CallResources implements ResourceLookup, AsyncDisposable {
  readonly #owner: CallOwner;
  readonly #isReadOnly: boolean;
  readonly #outer: CallResources | undefined;
  #parts: CallParts | undefined;
  #ending: CallEnding | undefined;
  #closing: Promise<void> | undefined;

  constructor(owner: CallOwner, options?: OpenCallOptions, outer?: CallResources) {
    this.#owner = owner;
    this.#outer = outer;
    // A read-only call cannot write by calling another tool either.
    this.#isReadOnly = options?.readOnly === true || (outer !== undefined && outer.#isReadOnly);
  }

  get<Resource>(key: ResourceKey<Resource>): Resource | undefined {
    if (this.#ending) throw new McpError('RESOURCE_FAILED', `${key.name} was asked for after its call had ended`);
    const binding = this.#owner.find(key);
    if (!binding) return undefined;
    const instance = binding.scope === 'singleton' ? this.#owner.singleton(binding) : this.#own(binding);
    // The registry pairs a key with a provider of its type, and a view stands for its resource.
    return this.#viewOf(binding, instance) as Resource;
  }

  /** The resources of a call that this call makes: its changes become part of this call's when it commits. */
  openCall(options?: OpenCallOptions): CallResources {
    const inner = new CallResources(this.#owner, options, this);
    if (this.#ending) throw new McpError('RESOURCE_FAILED', 'a call was made inside a call that had ended');
    this.#needParts().inner.add(inner);
    return inner;
  }

  /** Keeps the call's changes; throws, after trying all, if a resource could not. */
  commit(): Promise<void> {
    if (this.#ending?.kind === 'rollback') {
      return Promise.reject(new McpError('RESOURCE_FAILED', 'the call was rolled back and cannot be committed'));
    }
    this.#ending ??= { kind: 'commit', done: this.#commit() };
    return this.#ending.done;
  }

  /** Undoes the call's changes and reports what cannot be undone; never throws, and does nothing after a commit. */
  rollback(): Promise<void> {
    this.#ending ??= { kind: 'rollback', done: this.#rollback() };
    return this.#ending.kind === 'rollback' ? this.#ending.done : this.#ending.done.catch(() => undefined);
  }

  /** Rolls back what was not committed, and closes what was made for this call alone; never throws. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #own(binding: Binding): unknown {
    const { own, made } = this.#needParts();
    if (own.has(binding)) return own.get(binding);
    const instance = this.#owner.maker.make(binding, { lookup: this, made });
    if (binding.scope === 'tool-call') own.set(binding, instance);
    return instance;
  }

  #viewOf(binding: Binding, instance: unknown): unknown {
    if (typeof instance !== 'object' || instance === null) return instance;
    if (!this.#isReadOnly) return this.#transactionOn(binding, instance)?.view ?? instance;
    if (!isTransactional(instance)) return instance;
    const { views } = this.#needParts();
    if (!views.has(instance)) views.set(instance, instance.readOnlyView());
    return views.get(instance);
  }

  #transactionOn(binding: Binding, instance: object): ResourceTransaction | undefined {
    const known = this.#parts?.transactions.get(instance);
    if (known) return known.transaction;
    const transaction = this.#tryToBegin(binding, instance);
    if (transaction) this.#needParts().transactions.set(instance, { transaction, resource: binding.key.name });
    return transaction;
  }

  #tryToBegin(binding: Binding, instance: object): ResourceTransaction | undefined {
    try {
      return this.#begin(binding, instance);
    } catch (cause) {
      if (cause instanceof McpError) throw cause;
      const message = `${binding.key.name} could not begin a transaction: ${messageOf(cause)}`;
      throw new McpError('RESOURCE_FAILED', message, { cause });
    }
  }

  #begin(binding: Binding, instance: object): ResourceTransaction | undefined {
    // What lives for one call only is unknown to the call around it.
    if (this.#outer && binding.scope === 'singleton') {
      const outer = this.#outer.#transactionOn(binding, instance);
      if (!outer) return undefined;
      return outer.begin?.() ?? { view: outer.view, commit: () => undefined, rollback: () => [] };
    }
    if (isTransactional(instance)) return instance.begin();
    // What dies with the call need not be put back.
    if (binding.scope !== 'singleton' || !isSnapshotable(instance)) return undefined;
    return this.#owner.snapshots.begin(instance);
  }

  async #commit(): Promise<void> {
    if (!this.#parts) return;
    await this.#abandonInner(this.#parts);
    const errors: unknown[] = [];
    for (const { transaction } of this.#parts.transactions.values()) {
      try {
        await transaction.commit();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 0) return;
    const message = `a resource could not be committed: ${errors.map(messageOf).join('; ')}`;
    throw new McpError('RESOURCE_FAILED', message, { cause: new AggregateError(errors, message) });
  }

  async #rollback(): Promise<void> {
    if (!this.#parts) return;
    await this.#abandonInner(this.#parts);
    for (const { transaction, resource } of [...this.#parts.transactions.values()].toReversed()) {
      try {
        const conflicts = await transaction.rollback();
        for (const conflict of conflicts) this.#owner.report({ ...conflict, resource });
      } catch (cause) {
        this.#owner.report({ reason: 'restore-failed', cause, resource });
      }
    }
  }

  /** A call that is still running when the call around it ends is too late to count. */
  async #abandonInner({ inner }: CallParts): Promise<void> {
    for (const call of inner) await call.rollback();
  }

  #forget(inner: CallResources): void {
    this.#parts?.inner.delete(inner);
  }

  async #close(): Promise<void> {
    await this.rollback();
    if (this.#outer) this.#outer.#forget(this);
    if (!this.#parts) return;
    for (const error of await closeInReverse(this.#parts.made)) {
      this.#owner.logger.log('warn', 'a resource of a call could not be closed', { error: messageOf(error) });
    }
  }

  #needParts(): CallParts {
    this.#parts ??= { own: new Map(), made: [], transactions: new Map(), views: new Map(), inner: new Set() };
    return this.#parts;
  }
}

interface CallParts {
  readonly own: Map<Binding, unknown>;
  readonly made: unknown[];
  /** By resource, in the order in which they began. */
  readonly transactions: Map<object, OpenTransaction>;
  readonly views: Map<object, unknown>;
  readonly inner: Set<CallResources>;
}

interface OpenTransaction {
  readonly transaction: ResourceTransaction;
  readonly resource: string;
}

interface CallEnding {
  readonly kind: 'commit' | 'rollback';
  readonly done: Promise<void>;
}
