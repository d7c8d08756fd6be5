import type { ConnectionState } from './connection-state.ts';

/** A connection was asked for and is not there; its state says why. */
export class NotConnectedError extends Error {
  readonly state: ConnectionState;

  constructor(state: ConnectionState) {
    super(`not connected (${state.phase})`);
    this.name = 'NotConnectedError';
    this.state = state;
  }
}
