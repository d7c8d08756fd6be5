import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ATTEMPTS, initialState, isResting, isTrying, nextState } from './connection-state.ts';
import type { ConnectionEvent, ConnectionFailure, ConnectionPhase, ConnectionState } from './connection-state.ts';

type EventType = ConnectionEvent['type'];

const old: ConnectionFailure = { code: 'CONNECTION_LOST', message: 'old', permanent: false };
const failure: ConnectionFailure = { code: 'SERVER_EXITED', message: 'new', permanent: false };
const permanent: ConnectionFailure = { code: 'COMMAND_NOT_FOUND', message: 'no such command', permanent: true };

const STATES: { readonly [Phase in ConnectionPhase]: ConnectionState & { phase: Phase } } = {
  idle: { phase: 'idle' },
  connecting: { phase: 'connecting', attempt: 1 },
  connected: { phase: 'connected', since: 1000, recentLosses: 0 },
  reconnecting: { phase: 'reconnecting', attempt: 1, failure: old },
  disconnected: { phase: 'disconnected' },
  'needs-auth': { phase: 'needs-auth', failure: old },
  failed: { phase: 'failed', failure: old },
};

const EVENTS: { readonly [Type in EventType]: ConnectionEvent & { type: Type } } = {
  connect: { type: 'connect' },
  call: { type: 'call' },
  established: { type: 'established', at: 5000 },
  'attempt-failed': { type: 'attempt-failed', failure },
  'auth-required': { type: 'auth-required', failure },
  lost: { type: 'lost', at: 5000, failure },
  disconnect: { type: 'disconnect' },
};

const first: ConnectionState = { phase: 'connecting', attempt: 1 };
const disconnected: ConnectionState = { phase: 'disconnected' };
const needsAuth: ConnectionState = { phase: 'needs-auth', failure };
const connected: ConnectionState = { phase: 'connected', since: 5000, recentLosses: 0 };

/** Every transition there is; where nothing stands, nothing happens. */
const TRANSITIONS: { readonly [Phase in ConnectionPhase]: { readonly [Type in EventType]?: ConnectionState } } = {
  idle: { connect: first, call: first, disconnect: disconnected },
  connecting: {
    established: connected,
    'attempt-failed': { phase: 'connecting', attempt: 2 },
    'auth-required': needsAuth,
    disconnect: disconnected,
  },
  connected: {
    'auth-required': needsAuth,
    lost: { phase: 'reconnecting', attempt: 1, failure },
    disconnect: disconnected,
  },
  reconnecting: {
    established: { phase: 'connected', since: 5000, recentLosses: 1 },
    'attempt-failed': { phase: 'reconnecting', attempt: 2, failure },
    'auth-required': needsAuth,
    disconnect: disconnected,
  },
  disconnected: { connect: first },
  'needs-auth': { connect: first, disconnect: disconnected },
  failed: { connect: first, call: first, disconnect: disconnected },
};

const PHASES = Object.keys(STATES) as ConnectionPhase[];
const TYPES = Object.keys(EVENTS) as EventType[];
const CELLS = PHASES.flatMap((phase) => TYPES.map((type) => ({ phase, type, next: TRANSITIONS[phase][type] })));
const HAPPENING = CELLS.flatMap(({ phase, type, next }) => (next ? [{ phase, type, next, to: next.phase }] : []));
const NOT_HAPPENING = CELLS.filter(({ next }) => next === undefined);

describe('[S1.states] the table of transitions', () => {
  test.each(HAPPENING)('[S1.states] $phase becomes $to on $type', ({ phase, type, next }) => {
    expect(nextState(STATES[phase], EVENTS[type])).toEqual(next);
  });

  test.each(NOT_HAPPENING)('[S1.states] $phase stays as it is on $type', ({ phase, type }) => {
    const state = STATES[phase];
    // Disconnected twice is one state, so that nobody hears of it twice.
    const same = phase === 'disconnected' ? nextState(STATES.idle, EVENTS.disconnect) : state;
    expect(nextState(same, EVENTS[type])).toBe(same);
  });

  test('[S1.states] has a cell for every phase and every event', () => {
    expect([PHASES.length, TYPES.length, HAPPENING.length + NOT_HAPPENING.length]).toEqual([7, 7, 49]);
  });

  test('[S1.states] begins idle', () => {
    expect(initialState).toEqual({ phase: 'idle' });
  });
});

describe('attempts', () => {
  test('[S1.states] [S1.connect-retries] a first connect is tried three times, then it has failed with the last cause', () => {
    const states = run(initialState, [EVENTS.connect, failed(old), failed(old), failed(failure)]);
    expect(states).toEqual([
      { phase: 'connecting', attempt: 1 },
      { phase: 'connecting', attempt: 2 },
      { phase: 'connecting', attempt: 3 },
      { phase: 'failed', failure },
    ]);
  });

  test('[S1.states] a reconnect is tried three times, then it has failed with the last cause', () => {
    const states = run(STATES.connected, [EVENTS.lost, failed(old), failed(old), failed(failure)]);
    expect(states).toEqual([
      { phase: 'reconnecting', attempt: 1, failure },
      { phase: 'reconnecting', attempt: 2, failure: old },
      { phase: 'reconnecting', attempt: 3, failure: old },
      { phase: 'failed', failure },
    ]);
  });

  test('[S1.states] [S1.connect-retries] a permanent cause ends the first connect, a reconnect and a connection at once', () => {
    const ended = [
      nextState(STATES.connecting, failed(permanent)),
      nextState(STATES.reconnecting, failed(permanent)),
      nextState(STATES.connected, { type: 'lost', at: 5000, failure: permanent }),
    ];
    expect(ended).toEqual([1, 2, 3].map(() => ({ phase: 'failed', failure: permanent })));
  });

  test('[S1.states] losses that come soon after one another add up to a failure', () => {
    const loss = [EVENTS.lost, EVENTS.established];
    const states = run(STATES.connected, [...loss, ...loss, ...loss, EVENTS.lost]);
    expect(states.map(({ phase }) => phase)).toEqual([
      'reconnecting',
      'connected',
      'reconnecting',
      'connected',
      'reconnecting',
      'connected',
      'failed',
    ]);
  });

  test('[S1.states] a server that has lived for a minute has recovered', () => {
    const state: ConnectionState = { phase: 'connected', since: 1000, recentLosses: MAX_ATTEMPTS };
    expect(nextState(state, { type: 'lost', at: 60_999, failure })).toEqual({ phase: 'failed', failure });
    expect(nextState(state, { type: 'lost', at: 61_000, failure })).toEqual({
      phase: 'reconnecting',
      attempt: 1,
      failure,
    });
  });
});

const anyFailure = fc.constantFrom(old, failure, permanent);
const anyTime = fc.integer({ min: 0, max: 200_000 });
const anyEvent: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constantFrom<ConnectionEvent>(EVENTS.connect, EVENTS.call, EVENTS.disconnect),
  fc.record({ type: fc.constant('established' as const), at: anyTime }),
  fc.record({ type: fc.constant('lost' as const), at: anyTime, failure: anyFailure }),
  fc.record({ type: fc.constantFrom('attempt-failed' as const, 'auth-required' as const), failure: anyFailure }),
);
const anyHistory = fc.array(anyEvent, { maxLength: 60, size: 'max' });

/** Checks every step of every history. */
function everyStep(check: (before: ConnectionState, event: ConnectionEvent, after: ConnectionState) => void): void {
  fc.assert(
    fc.property(anyHistory, (events) => {
      let state = initialState;
      for (const event of events) {
        const after = nextState(state, event);
        check(state, event, after);
        state = after;
      }
    }),
  );
}

describe('whatever happens', () => {
  test('[S1.states] no phase is left or entered but by a transition of the table', () => {
    everyStep((before, event, after) => {
      if (after.phase === before.phase) return;
      const exceptions: ConnectionPhase[] = isTrying(before) || before.phase === 'connected' ? ['failed'] : [];
      const ends = event.type === 'attempt-failed' || event.type === 'lost' ? exceptions : [];
      expect([TRANSITIONS[before.phase][event.type]?.phase, ...ends]).toContain(after.phase);
    });
  });

  test('[S1.states] attempts are counted from one to three', () => {
    everyStep((_before, _event, after) => {
      if (isTrying(after)) expect(after.attempt >= 1 && after.attempt <= MAX_ATTEMPTS).toBe(true);
    });
  });

  test('[S1.states] what was disconnected by request starts by request only', () => {
    everyStep((before, event, after) => {
      if (before.phase !== 'disconnected') return;
      expect(after.phase).toBe(event.type === 'connect' ? 'connecting' : 'disconnected');
    });
  });

  test('[S1.states] disconnect leads to disconnected from every phase', () => {
    everyStep((_before, event, after) => {
      if (event.type === 'disconnect') expect(after).toEqual({ phase: 'disconnected' });
    });
  });

  test('[S1.states] a server that needs a login waits for connect or disconnect', () => {
    everyStep((before, event, after) => {
      if (before.phase === 'needs-auth' && after !== before) expect(['connect', 'disconnect']).toContain(event.type);
    });
  });

  test('[S1.states] connected is reached only from an attempt that was established', () => {
    everyStep((before, event, after) => {
      if (after.phase !== 'connected' || before.phase === 'connected') return;
      expect([isTrying(before), event.type]).toEqual([true, 'established']);
    });
  });

  test('[S1.states] nothing begins without a connect or a call', () => {
    everyStep((before, event, after) => {
      if (isResting(before) && !isResting(after)) expect(['connect', 'call']).toContain(event.type);
    });
  });

  test('[S1.states] every state is resting, trying or connected, and only one of them', () => {
    everyStep((_before, _event, after) => {
      expect([isResting(after), isTrying(after), after.phase === 'connected'].filter(Boolean)).toHaveLength(1);
    });
  });

  test('[S1.states] a server that dies at once again and again has failed after four losses at most', () => {
    const life = fc.record({ failedAttempts: fc.nat({ max: 4 }), livesForMs: fc.nat({ max: 59_999 }) });
    fc.assert(
      fc.property(fc.array(life, { minLength: 4, maxLength: 8 }), (lives) => {
        let state: ConnectionState = nextState(first, { type: 'established', at: 0 });
        let losses = 0;
        for (const { failedAttempts, livesForMs } of lives) {
          if (state.phase !== 'connected') break;
          state = nextState(state, { type: 'lost', at: state.since + livesForMs, failure });
          losses += 1;
          for (let count = 0; count < failedAttempts; count += 1) state = nextState(state, failed(failure));
          state = nextState(state, { type: 'established', at: losses * 100_000 });
        }
        expect([state.phase, losses <= MAX_ATTEMPTS + 1]).toEqual(['failed', true]);
      }),
    );
  });
});

function failed(why: ConnectionFailure): ConnectionEvent {
  return { type: 'attempt-failed', failure: why };
}

/** The states after each event. */
function run(start: ConnectionState, events: readonly ConnectionEvent[]): readonly ConnectionState[] {
  let state = start;
  return events.map((event) => {
    state = nextState(state, event);
    return state;
  });
}
