import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { BoundSliceView } from './bound-slice-view.ts';
import { InProcessDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionScope } from './session-scope.ts';
import { contentsOf, copyContents } from './session-snapshot.ts';
import type { SessionSnapshot } from './session-snapshot.ts';
import type { Slice, SliceOfAnything, SliceView } from './slice.ts';
import { SliceStore } from './slice-store.ts';
import type { LogHandling } from './slice-store.ts';
import { RecordingTransaction } from './transaction.ts';
import type { Transaction, TransactionGround } from './transaction.ts';

export interface SessionOptions {
  /** A random one by default. */
  readonly id?: string;
  /** On whose behalf the agent works. */
  readonly principal?: string;
  readonly dispatcher?: Dispatcher;
  /** Another name for `dispatcher`. */
  readonly bus?: Dispatcher;
  /** Slices that record from the start; others do from their first use. A log of calls is `ToolCallLog`. */
  readonly slices?: readonly SliceOfAnything[];
  /** Whatever the owner wants to find the session by. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Hears of reducers that throw, and of listeners that do unless a dispatcher is given. */
  readonly onError?: (error: unknown) => void;
}

/** What a clone does not take over. */
export interface CloneOptions {
  readonly id?: string;
  readonly principal?: string;
}

/** One agent's work: who it is for, its state, and the events of everything it does. */
export class Session implements SessionScope {
  readonly id: string;
  readonly principal: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #store: SliceStore;
  readonly #ground: TransactionGround;

  constructor(options: SessionOptions = {}) {
    this.id = options.id ?? randomUUID();
    this.principal = options.principal ?? 'local';
    this.tags = Object.freeze({ ...options.tags });
    this.#clock = options.clock ?? systemClock;
    this.#onError = options.onError ?? (() => undefined);
    this.dispatcher = options.dispatcher ?? options.bus ?? new InProcessDispatcher((error) => this.#report(error));
    this.#store = new SliceStore((error) => this.#report(error));
    for (const slice of options.slices ?? []) this.#store.register(slice as Slice<unknown>);
    this.#ground = this.#createGround();
  }

  slice<Item>(slice: Slice<Item>): SliceView<Item> {
    this.#store.register(slice);
    return new BoundSliceView(slice, this.#store);
  }

  /** Runs the reducers of every slice that listens to this type of event, then tells the dispatcher's listeners. */
  dispatch(event: SessionEvent): void {
    this.#store.apply({ kind: 'event', event });
    this.#tell(event);
  }

  /** Whether an event of this type would reach anybody; what nobody hears need not be made. */
  hears(type: string): boolean {
    return this.#store.listensTo(type) || (this.dispatcher.hears?.(type) ?? true);
  }

  begin(): Transaction {
    return new RecordingTransaction(this.#ground);
  }

  /** The committed state, without the logs unless they are asked for; throws if JSON cannot say it. */
  snapshot({ withLogs = false }: { readonly withLogs?: boolean } = {}): SessionSnapshot {
    const contents = this.#store.contents(withLogs ? ['state', 'log'] : ['state']);
    const { id: sessionId, principal } = this;
    return { version: 1, sessionId, principal, at: this.#clock.now(), slices: copyContents(contents) };
  }

  /** Goes back to a snapshot: state slices that it lacks are emptied, and those not used yet find theirs when they are. */
  restore(snapshot: SessionSnapshot, options: LogHandling = {}): void {
    this.#store.restore(contentsOf(snapshot), options);
  }

  /** Puts the state back to what it began with, and the logs too if told so. */
  reset(options: LogHandling = {}): void {
    this.#store.reset(options);
  }

  /** A session with the same committed state and logs and a dispatcher of its own; what happens to one is not seen in the other. */
  clone({ id, principal = this.principal }: CloneOptions = {}): Session {
    const clone = new Session({
      ...(id !== undefined && { id }),
      principal,
      tags: this.tags,
      clock: this.#clock,
      onError: this.#onError,
    });
    clone.#store.copyFrom(this.#store);
    return clone;
  }

  #createGround(): TransactionGround {
    return {
      id: this.id,
      principal: this.principal,
      isOpen: true,
      register: (slice) => this.#store.register(slice),
      itemsOf: (slice) => this.#store.itemsOf(slice),
      log: (record) => this.#store.apply(record, 'log'),
      take: (records) => this.#take(records),
    };
  }

  /** Listeners come last, so that they see all of what was committed. */
  #take(records: readonly SessionRecord[]): void {
    for (const record of records) this.#store.apply(record, 'state');
    for (const record of records) {
      if (record.kind === 'event') this.#tell(record.event);
    }
  }

  /** A dispatcher that fails must take neither a call nor a commit with it. */
  #tell(event: SessionEvent): void {
    try {
      this.dispatcher.dispatch(event.type, event);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // Whoever hears of failures must not cause one.
    }
  }
}
