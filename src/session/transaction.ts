import { McpError } from '../errors.ts';
import { applyChange } from './apply-change.ts';
import { BoundSliceView } from './bound-slice-view.ts';
import type { SliceSource } from './bound-slice-view.ts';
import type { SessionEvent } from './session-event.ts';
import { afterRecords, changeOf } from './session-record.ts';
import type { AnySlice, SessionRecord } from './session-record.ts';
import type { SessionScope } from './session-scope.ts';
import type { Slice, SliceChange, SliceView } from './slice.ts';

/** Changes of a session that happen all together, when they are committed, or not at all; logs keep what they were told. */
export interface Transaction extends SessionScope {
  /** A transaction inside this one: its commit is part of this one's changes, its rollback drops only its own. */
  begin(): Transaction;
  /** Does what was recorded, on the state as it is by now, and tells the listeners; once ended this does nothing. */
  commit(): void;
  /** Drops what was recorded; once ended this does nothing. */
  rollback(): void;
}

/** What a transaction stands on: the session, or another transaction. */
export interface TransactionGround {
  readonly id: string;
  readonly principal: string;
  /** False once what is committed here could not come to anything. */
  readonly isOpen: boolean;
  register<Item>(slice: Slice<Item>): void;
  itemsOf<Item>(slice: Slice<Item>): readonly Item[];
  /** Does what was recorded to log slices, at once. */
  log(record: SessionRecord): void;
  /** Takes what a transaction that stands here has recorded. */
  take(records: readonly SessionRecord[]): void;
}

/** What a slice is with the first records of a transaction on top of what is under it. */
interface Overlay {
  readonly under: readonly unknown[];
  readonly recordCount: number;
  readonly items: readonly unknown[];
}

/** A transaction as a list of records, so that one that writes nothing costs nothing. */
export class RecordingTransaction implements Transaction, TransactionGround, SliceSource {
  readonly #ground: TransactionGround;
  #records: SessionRecord[] | undefined;
  #overlays: Map<AnySlice, Overlay> | undefined;
  #hasEnded = false;

  constructor(ground: TransactionGround) {
    this.#ground = ground;
  }

  get id(): string {
    return this.#ground.id;
  }

  get principal(): string {
    return this.#ground.principal;
  }

  get isOpen(): boolean {
    return !this.#hasEnded && this.#ground.isOpen;
  }

  slice<Item>(slice: Slice<Item>): SliceView<Item> {
    this.register(slice);
    return new BoundSliceView(slice, this);
  }

  dispatch(event: SessionEvent): void {
    this.#assertOpen();
    this.#ground.log({ kind: 'event', event });
    this.#record({ kind: 'event', event });
  }

  begin(): Transaction {
    this.#assertOpen();
    return new RecordingTransaction(this);
  }

  commit(): void {
    const records = this.#end();
    if (records) this.#ground.take(records);
  }

  rollback(): void {
    this.#end();
  }

  register<Item>(slice: Slice<Item>): void {
    this.#ground.register(slice);
  }

  itemsOf<Item>(slice: Slice<Item>): readonly Item[] {
    const under = this.#ground.itemsOf(slice);
    if (!this.#records || slice.kind === 'log') return under;
    return this.#overlay(slice as AnySlice, under, this.#records) as readonly Item[];
  }

  write<Item>(slice: Slice<Item>, change: SliceChange<Item>): void {
    this.#assertOpen();
    const record = changeOf(slice, change);
    if (slice.kind === 'log') {
      this.log(record);
      return;
    }
    // A condition that throws is the writer's to hear of, and leaves no record.
    if (change.kind === 'clear' || change.kind === 'upsert') applyChange(this.itemsOf(slice), change);
    this.#record(record);
  }

  log(record: SessionRecord): void {
    this.#ground.log(record);
  }

  take(records: readonly SessionRecord[]): void {
    this.#assertOpen();
    for (const record of records) this.#record(record);
  }

  #overlay(slice: AnySlice, under: readonly unknown[], records: readonly SessionRecord[]): readonly unknown[] {
    this.#overlays ??= new Map();
    const known = this.#overlays.get(slice);
    const isCurrent = known?.under === under;
    if (isCurrent && known.recordCount === records.length) return known.items;
    const items = isCurrent
      ? afterRecords(slice, known.items, records.slice(known.recordCount))
      : afterRecords(slice, under, records);
    this.#overlays.set(slice, { under, recordCount: records.length, items });
    return items;
  }

  #record(record: SessionRecord): void {
    this.#records ??= [];
    this.#records.push(record);
  }

  #end(): readonly SessionRecord[] | undefined {
    const records = this.#records;
    this.#hasEnded = true;
    this.#records = undefined;
    this.#overlays = undefined;
    return records;
  }

  #assertOpen(): void {
    if (this.isOpen) return;
    throw new McpError(
      'SESSION_INVALID',
      'the transaction has ended, or the one it was begun in; nothing can be changed in it any more',
    );
  }
}
