import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { RequestDeadline } from './request-deadline.ts';

interface Seen {
  readonly aborted: boolean;
  readonly endedBy: string | undefined;
  readonly limitMs: number;
}

const seen = (deadline: RequestDeadline): Seen => ({
  aborted: deadline.signal.aborted,
  endedBy: deadline.endedBy,
  limitMs: deadline.limitMs,
});

describe('RequestDeadline', () => {
  test('ends a request at its timeout, not before', async () => {
    const clock = new ManualClock();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000 });
    await clock.advance(99);
    expect(seen(deadline)).toEqual({ aborted: false, endedBy: undefined, limitMs: 100 });
    await clock.advance(1);
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'timeout', limitMs: 100 });
    expect(clock.pending).toBe(0);
  });

  test('begins again with progress, and never outlives the hard maximum', async () => {
    const clock = new ManualClock();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 250 });
    await clock.advance(90);
    deadline.extend();
    await clock.advance(90);
    deadline.extend();
    expect(seen(deadline)).toEqual({ aborted: false, endedBy: undefined, limitMs: 250 });
    await clock.advance(69);
    deadline.extend();
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'timeout', limitMs: 250 });
  });

  test('ends after progress has stopped', async () => {
    const clock = new ManualClock();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000 });
    await clock.advance(50);
    deadline.extend();
    await clock.advance(99);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'timeout', limitMs: 100 });
  });

  test('a timeout above the hard maximum is the hard maximum', async () => {
    const clock = new ManualClock();
    const deadline = new RequestDeadline({ clock, timeoutMs: 1000, maxTotalMs: 100 });
    await clock.advance(100);
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'timeout', limitMs: 100 });
  });

  test('ends as cancelled when its caller gives up', async () => {
    const clock = new ManualClock();
    const caller = new AbortController();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000, signal: caller.signal });
    caller.abort(new Error('never mind'));
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'cancelled', limitMs: 100 });
    await clock.advance(5000);
    expect(deadline.endedBy).toBe('cancelled');
  });

  test('a caller who had given up before is heard, and leaves neither timer nor listener', () => {
    const clock = new ManualClock();
    const signal = AbortSignal.abort();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000, signal });
    expect(seen(deadline)).toEqual({ aborted: true, endedBy: 'cancelled', limitMs: 100 });
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  test('a caller who gives up after the timeout does not change why the request ended', async () => {
    const clock = new ManualClock();
    const caller = new AbortController();
    const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000, signal: caller.signal });
    await clock.advance(100);
    caller.abort();
    expect([deadline.endedBy, getEventListeners(caller.signal, 'abort').length]).toEqual(['timeout', 0]);
  });

  test('leaves nothing behind when the request is over', async () => {
    const clock = new ManualClock();
    const caller = new AbortController();
    const deadline = useOnce(clock, caller.signal);
    expect([clock.pending, getEventListeners(caller.signal, 'abort').length]).toEqual([0, 0]);
    caller.abort();
    await clock.advance(5000);
    expect(seen(deadline)).toEqual({ aborted: false, endedBy: undefined, limitMs: 100 });
  });

  test('ends exactly when the last progress is a timeout ago or the maximum is reached, whichever comes first', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pauses, async (pausesMs) => {
        const clock = new ManualClock();
        const deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 300 });
        for (const pauseMs of pausesMs) {
          await clock.advance(pauseMs);
          deadline.extend();
        }
        const passedMs = clock.monotonic();
        const endsAtMs = Math.min(passedMs + 100, 300);
        if (passedMs >= 300) return;
        await clock.advance(endsAtMs - passedMs - 1);
        expect(deadline.signal.aborted).toBe(false);
        await clock.advance(1);
        expect(deadline.endedBy).toBe('timeout');
      }),
    );
  });
});

function useOnce(clock: ManualClock, signal: AbortSignal): RequestDeadline {
  using deadline = new RequestDeadline({ clock, timeoutMs: 100, maxTotalMs: 1000, signal });
  return deadline;
}
