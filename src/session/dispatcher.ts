import type { ToolInvoked } from '../call/tool-invoked.ts';
import { Emitter } from '../emitter.ts';

/** Every event a session can carry, by type. */
export interface SessionEvents {
  'tool-invoked': ToolInvoked;
}

/** Takes the events of one agent's work and hands them to whoever listens. */
export interface Dispatcher {
  dispatch<Type extends keyof SessionEvents>(type: Type, event: SessionEvents[Type]): void;
  subscribe<Type extends keyof SessionEvents>(type: Type, listener: (event: SessionEvents[Type]) => void): () => void;
}

/** Delivers events to listeners in this process, in order, before `dispatch` returns. */
export class InProcessDispatcher implements Dispatcher {
  readonly #emitter: Emitter<SessionEvents>;

  constructor(onListenerError?: (error: unknown) => void) {
    this.#emitter = new Emitter(onListenerError);
  }

  dispatch<Type extends keyof SessionEvents>(type: Type, event: SessionEvents[Type]): void {
    this.#emitter.emit(type, event);
  }

  subscribe<Type extends keyof SessionEvents>(type: Type, listener: (event: SessionEvents[Type]) => void): () => void {
    return this.#emitter.on(type, listener);
  }
}
