import type { ConnectionErrorFields } from '../errors.ts';

/** What one connection is doing; the phase decides what a call may expect. */
export type ConnectionState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting'; readonly attempt: number }
  | { readonly phase: 'connected'; readonly since: number; readonly recentLosses: number }
  | { readonly phase: 'reconnecting'; readonly attempt: number; readonly failure: ConnectionFailure }
  | { readonly phase: 'disconnected' }
  | { readonly phase: 'needs-auth'; readonly failure: ConnectionFailure }
  | { readonly phase: 'failed'; readonly failure: ConnectionFailure };

export type ConnectionPhase = ConnectionState['phase'];

/** Why a connection could not be made or kept, without the server's name, which each view gives itself. */
export interface ConnectionFailure {
  readonly code: ConnectionErrorFields['code'];
  readonly message: string;
  /** A permanent cause is not tried again. */
  readonly permanent: boolean;
  readonly cause?: unknown;
}

/** What can happen to a connection. */
export type ConnectionEvent =
  | { readonly type: 'connect' }
  | { readonly type: 'call' }
  | { readonly type: 'established'; readonly at: number }
  | { readonly type: 'attempt-failed'; readonly failure: ConnectionFailure }
  | { readonly type: 'auth-required'; readonly failure: ConnectionFailure }
  | { readonly type: 'lost'; readonly at: number; readonly failure: ConnectionFailure }
  | { readonly type: 'disconnect' };

/** A first connect and a reconnect may each try this often. */
export const MAX_ATTEMPTS = 3;

// A server that dies again sooner than this has not recovered; its losses add up.
const HEALTHY_AFTER_MS = 60_000;

const IDLE: ConnectionState = { phase: 'idle' };
const DISCONNECTED: ConnectionState = { phase: 'disconnected' };
const FIRST_ATTEMPT: ConnectionState = { phase: 'connecting', attempt: 1 };

/** The state a connection is declared in. */
export const initialState: ConnectionState = IDLE;

/** The state after an event; an event that means nothing in a state leaves it as it is. */
export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'connect':
      return isResting(state) ? FIRST_ATTEMPT : state;
    case 'call':
      return state.phase === 'idle' || state.phase === 'failed' ? FIRST_ATTEMPT : state;
    case 'established':
      return afterEstablished(state, event.at);
    case 'attempt-failed':
      return afterFailedAttempt(state, event.failure);
    case 'auth-required':
      return isTrying(state) || state.phase === 'connected' ? { phase: 'needs-auth', failure: event.failure } : state;
    case 'lost':
      return afterLoss(state, event);
    case 'disconnect':
      return DISCONNECTED;
  }
}

/** Whether nothing happens until somebody asks. */
export function isResting(state: ConnectionState): boolean {
  return !isTrying(state) && state.phase !== 'connected';
}

/** Whether an attempt to connect is under way or waits for its turn. */
export function isTrying(state: ConnectionState): state is Trying {
  return state.phase === 'connecting' || state.phase === 'reconnecting';
}

type Trying = Extract<ConnectionState, { readonly attempt: number }>;

function afterEstablished(state: ConnectionState, at: number): ConnectionState {
  if (state.phase === 'connecting') return { phase: 'connected', since: at, recentLosses: 0 };
  if (state.phase === 'reconnecting') return { phase: 'connected', since: at, recentLosses: state.attempt };
  return state;
}

function afterFailedAttempt(state: ConnectionState, failure: ConnectionFailure): ConnectionState {
  if (!isTrying(state)) return state;
  if (failure.permanent || state.attempt >= MAX_ATTEMPTS) return { phase: 'failed', failure };
  if (state.phase === 'connecting') return { phase: 'connecting', attempt: state.attempt + 1 };
  return { phase: 'reconnecting', attempt: state.attempt + 1, failure };
}

function afterLoss(state: ConnectionState, loss: { at: number; failure: ConnectionFailure }): ConnectionState {
  if (state.phase !== 'connected') return state;
  const losses = loss.at - state.since >= HEALTHY_AFTER_MS ? 1 : state.recentLosses + 1;
  if (loss.failure.permanent || losses > MAX_ATTEMPTS) return { phase: 'failed', failure: loss.failure };
  return { phase: 'reconnecting', attempt: losses, failure: loss.failure };
}
