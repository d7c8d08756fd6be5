import { McpError } from '../errors.ts';
import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import type { Binding } from './resource-binding.ts';
import { CallResources } from './resource-call.ts';
import type { CallOwner, OpenCallOptions } from './resource-call.ts';
import { closeInReverse } from './resource-disposal.ts';
import type { ResourceKey, ResourceLookup } from './resource-key.ts';
import { ResourceMaker } from './resource-maker.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import { ResourceSnapshots } from './resource-snapshots.ts';
import type { ResourceConflict } from './resource-transaction.ts';

export interface ContainerOptions {
  readonly logger?: Logger;
  /** Hears what a rollback left as it was; without it, such conflicts are logged. */
  readonly onConflict?: (conflict: ResourceConflict) => void;
}

/** Owns the instances of a registry's bindings, from first use to close. */
export class ResourceContainer implements ResourceLookup, AsyncDisposable {
  readonly #registry: ResourceRegistry;
  readonly #logger: Logger;
  readonly #maker: ResourceMaker;
  readonly #callOwner: CallOwner;
  readonly #singletons = new Map<Binding, unknown>();
  readonly #made: unknown[] = [];
  #closing: Promise<void> | undefined;

  constructor(registry: ResourceRegistry, options: ContainerOptions = {}) {
    this.#registry = registry;
    this.#logger = options.logger ?? silentLogger;
    this.#maker = new ResourceMaker(this.#logger);
    this.#callOwner = {
      maker: this.#maker,
      snapshots: new ResourceSnapshots(),
      logger: this.#logger,
      find: (key) => registry.find(key),
      singleton: (binding) => this.#singleton(binding),
      report: (conflict) => this.#report(conflict, options.onConflict),
    };
    this.#makeEager();
  }

  /** The resource itself, outside of every call. */
  get<Resource>(key: ResourceKey<Resource>): Resource | undefined {
    const binding = this.#registry.find(key);
    if (!binding) return undefined;
    if (binding.scope === 'singleton') return this.#singleton(binding) as Resource;
    if (binding.scope === 'prototype') return this.#make(binding) as Resource;
    const message = `${key.name} lives for one tool call; get it in a call, not from a singleton or the container`;
    throw new McpError('RESOURCE_FAILED', message);
  }

  /** The resources of one tool call. */
  openCall(options?: OpenCallOptions): CallResources {
    return new CallResources(this.#callOwner, options);
  }

  /** Closes what it made, the last first; rejects with all errors once everything was tried. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #singleton(binding: Binding): unknown {
    if (this.#singletons.has(binding)) return this.#singletons.get(binding);
    const instance = this.#make(binding);
    this.#singletons.set(binding, instance);
    return instance;
  }

  #make(binding: Binding): unknown {
    if (this.#closing) throw new McpError('RESOURCE_FAILED', `${binding.key.name} was asked for after the close`);
    return this.#maker.make(binding, { lookup: this, made: this.#made });
  }

  #makeEager(): void {
    try {
      for (const binding of this.#registry.bindings) {
        if (binding.eager && binding.scope === 'singleton') this.#singleton(binding);
      }
    } catch (error) {
      // Nobody will hold this container, so nobody else can close what it made.
      this.close().catch((failure: unknown) => this.#logger.log('warn', 'a resource could not be closed', { failure }));
      throw error;
    }
  }

  #report(conflict: ResourceConflict, onConflict: ContainerOptions['onConflict']): void {
    if (!onConflict) {
      this.#logger.log('warn', 'a rollback left a resource as it was', { ...conflict });
      return;
    }
    try {
      onConflict(conflict);
    } catch (error) {
      this.#logger.log('error', 'a listener to conflicts failed', { error });
    }
  }

  async #close(): Promise<void> {
    const errors = await closeInReverse(this.#made);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} resources could not be closed`);
  }
}
