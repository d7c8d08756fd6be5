import type { ApprovalAsked, ApprovalDecided } from '../call/approval-events.ts';
import type { PromptExecuted, PromptRendered, SectionsOpened } from '../call/run-events.ts';
import type { ToolInvoked } from '../call/tool-invoked.ts';
import type { ToolStarted } from '../call/tool-started.ts';
import { Emitter } from '../emitter.ts';
import type { SessionEvent } from './session-event.ts';

/** Every event that Fairlead itself puts on a session, by type. */
export interface SessionEvents {
  'tool-started': ToolStarted;
  'tool-invoked': ToolInvoked;
  'approval-asked': ApprovalAsked;
  'approval-decided': ApprovalDecided;
  'prompt-rendered': PromptRendered;
  'prompt-executed': PromptExecuted;
  'sections-opened': SectionsOpened;
}

/** A type of event that is not Fairlead's; of one that is, nothing, so that its fields stay checked. */
export type OwnType<Type extends string> = Type extends keyof SessionEvents ? never : Type;

/** Takes the events of one agent's work and hands them to whoever listens; it records nothing. */
export interface Dispatcher {
  dispatch<Type extends keyof SessionEvents>(type: Type, event: SessionEvents[Type]): void;
  dispatch<const Event extends SessionEvent>(type: OwnType<Event['type']>, event: Event): void;
  subscribe<Type extends keyof SessionEvents>(type: Type, listener: (event: SessionEvents[Type]) => void): () => void;
  subscribe<Event extends SessionEvent>(type: OwnType<Event['type']>, listener: (event: Event) => void): () => void;
  /** Whether anybody listens to this type; a dispatcher that cannot tell leaves this out. */
  hears?(type: string): boolean;
}

/** Delivers events to listeners in this process, in order, before `dispatch` returns. */
export class InProcessDispatcher implements Dispatcher {
  readonly #emitter: Emitter<Record<string, SessionEvent>>;

  constructor(onListenerError?: (error: unknown) => void) {
    this.#emitter = new Emitter(onListenerError);
  }

  dispatch<Type extends keyof SessionEvents>(type: Type, event: SessionEvents[Type]): void;
  dispatch<const Event extends SessionEvent>(type: OwnType<Event['type']>, event: Event): void;
  dispatch(type: string, event: SessionEvent): void {
    this.#emitter.emit(type, event);
  }

  subscribe<Type extends keyof SessionEvents>(type: Type, listener: (event: SessionEvents[Type]) => void): () => void;
  subscribe<Event extends SessionEvent>(type: OwnType<Event['type']>, listener: (event: Event) => void): () => void;
  subscribe(type: string, listener: (event: never) => void): () => void {
    // Whoever dispatches under a type gives the event of that type.
    return this.#emitter.on(type, listener as (event: SessionEvent) => void);
  }

  hears(type: string): boolean {
    return this.#emitter.hears(type);
  }
}

/** The same under the name that the design documents use. @alias */
// oxlint-disable-next-line no-redeclare -- a class is a value and a type, and so is its other name
export const InProcessEventBus: typeof InProcessDispatcher = InProcessDispatcher;
export type InProcessEventBus = InProcessDispatcher;
