import { randomUUID } from 'node:crypto';
import { InProcessDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';

export interface SessionOptions {
  /** On whose behalf the agent works. */
  readonly principal?: string;
  readonly dispatcher?: Dispatcher;
}

/** One agent's work: who it is for, and the events of everything it does. */
export class Session {
  readonly id: string = randomUUID();
  readonly principal: string;
  readonly dispatcher: Dispatcher;

  constructor(options: SessionOptions = {}) {
    this.principal = options.principal ?? 'local';
    this.dispatcher = options.dispatcher ?? new InProcessDispatcher();
  }
}
