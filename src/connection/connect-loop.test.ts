import { describe, expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { silentLogger } from '../logger.ts';
import { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { ConnectLoop } from './connect-loop.ts';
import type { Attempt } from './connect-loop.ts';
import { WiserError } from './open-conversation.ts';
import type { ProtocolClient } from './protocol-client.ts';
import { RequestError } from './request-failure.ts';

const away = new RequestError({ kind: 'no-answer', detail: 'away' });
const refused = new RequestError({ kind: 'refused', status: 401, detail: 'who are you' });

describe('ConnectLoop', () => {
  test('tries three times, with growing delays, each with a channel of its own', async () => {
    const bench = new LoopBench(away, away, away);
    const ready = bench.loop.ready('connect').catch((error: unknown) => error);
    await settle();
    expect(bench.clock.delaysMs).toEqual([500]);
    await bench.clock.advance(500);
    expect(bench.clock.delaysMs).toEqual([1_000]);
    await bench.clock.advance(1_000);
    expect(await ready).toMatchObject({ name: 'NotConnectedError' });
    expect([bench.loop.state.phase, bench.loop.starts]).toEqual(['failed', 3]);
  });

  test('goes on at once after an attempt that has taught something', async () => {
    const bench = new LoopBench(new WiserError('era', away), 'opens');
    await bench.loop.ready('connect');
    expect([bench.loop.state, bench.loop.starts]).toMatchObject([{ phase: 'connected' }, 2]);
  });

  test('waits as long as an overloaded server asks for, and never less than usual', async () => {
    const busy = (retryAfterMs: number) => new RequestError({ kind: 'rate-limited', detail: 'busy', retryAfterMs });
    const bench = new LoopBench(busy(12_000), busy(100), 'opens');
    const ready = bench.loop.ready('connect');
    await settle();
    expect(bench.clock.delaysMs).toEqual([12_000]);
    await bench.clock.advance(12_000);
    expect(bench.clock.delaysMs).toEqual([1_000]);
    await bench.clock.advance(1_000);
    await ready;
    expect(bench.loop.starts).toBe(3);
  });

  test('does not try again when the server asks for more time than anybody waits', async () => {
    const bench = new LoopBench(new RequestError({ kind: 'rate-limited', detail: 'busy', retryAfterMs: 3_600_000 }));
    await expect(bench.loop.ready('connect')).rejects.toMatchObject({ name: 'NotConnectedError' });
    expect([bench.loop.state, bench.loop.starts]).toMatchObject([
      { phase: 'failed', failure: { code: 'OVERLOADED', message: 'busy' } },
      1,
    ]);
  });

  test('a login is no failed attempt, but the third one is', async () => {
    const login = new WiserError('login', refused);
    const patient = new LoopBench(login, login, 'opens');
    await patient.loop.ready('connect');
    expect(patient.states).toEqual(['connecting', 'connected']);
    const vain = new LoopBench(login, login, login, login);
    await vain.loop.ready('connect').catch(() => undefined);
    expect([vain.loop.state.phase, vain.loop.starts]).toEqual(['needs-auth', 3]);
  });

  test('a refusal is not tried again', async () => {
    const bench = new LoopBench(refused);
    await expect(bench.loop.ready('connect')).rejects.toMatchObject({ name: 'NotConnectedError' });
    expect([bench.loop.state.phase, bench.loop.starts]).toEqual(['needs-auth', 1]);
  });

  test('many who wait share one attempt', async () => {
    const bench = new LoopBench('opens');
    const clients = await Promise.all(Array.from({ length: 5 }, () => bench.loop.ready('call')));
    expect([new Set(clients).size, bench.loop.starts]).toEqual([1, 1]);
  });

  test('opens the next channel only when the old one is closed', async () => {
    const bench = new LoopBench('opens', 'opens');
    const first = await bench.loop.ready('connect');
    const closing = bench.holdClosing();
    bench.loop.lose(first);
    bench.loop.lose(first);
    await settle();
    expect([bench.loop.starts, bench.retirements]).toEqual([1, 1]);
    closing.finish();
    expect(await bench.loop.ready('call')).not.toBe(first);
    expect(bench.loop.starts).toBe(2);
  });

  test('a disconnect ends an attempt that waits, and nothing is left', async () => {
    const bench = new LoopBench(away, 'opens');
    const ready = bench.loop.ready('connect').catch((error: unknown) => error);
    await settle();
    await bench.loop.disconnect();
    expect(await ready).toMatchObject({ name: 'NotConnectedError' });
    expect([bench.loop.state.phase, bench.clock.pending, bench.loop.starts]).toEqual(['disconnected', 0, 1]);
  });

  test('a connection that is no longer let in waits for somebody to log in', async () => {
    const bench = new LoopBench('opens', 'opens');
    const client = await bench.loop.ready('connect');
    bench.loop.refuse(client, 'the token has expired');
    expect(bench.loop.state).toMatchObject({ phase: 'needs-auth', failure: { message: 'the token has expired' } });
    await expect(bench.loop.ready('call')).rejects.toMatchObject({ name: 'NotConnectedError' });
    await bench.loop.ready('connect');
    expect(bench.loop.state.phase).toBe('connected');
  });

  test('who gives up stops waiting, and the attempt goes on', async () => {
    const bench = new LoopBench(away, 'opens');
    const giveUp = new AbortController();
    const ready = bench.loop.ready('connect', giveUp.signal);
    await settle();
    giveUp.abort(new Error('enough'));
    await expect(ready).rejects.toThrow('enough');
    await bench.clock.advance(500);
    expect(bench.loop.state.phase).toBe('connected');
  });
});

/** A loop whose attempts end as they are told, one after the other. */
class LoopBench {
  readonly clock = new ManualClock();
  readonly loop: ConnectLoop;
  readonly states: string[] = [];
  retirements = 0;
  #closing: Promise<void> = Promise.resolve();

  constructor(...endings: readonly (Error | 'opens')[]) {
    const left = [...endings];
    this.loop = new ConnectLoop({
      open: async ({ onTransport }: Attempt) => {
        onTransport({ stderr: '' } as unknown as LiveTransport);
        const ending = left.shift();
        if (ending instanceof Error) throw ending;
        return this.#client();
      },
      takeTurn: (attempt) => attempt(),
      clock: this.clock,
      random: () => 0.5,
      logger: silentLogger,
      scrubber: new Scrubber(),
      onState: ({ current }) => this.states.push(current.phase),
      onOpened: () => undefined,
      onRetired: () => (this.retirements += 1),
      connectTimeoutMs: 30_000,
      abandonMs: 1_000,
    });
  }

  /** From now on a channel closes only when it is told to. */
  holdClosing(): { finish: () => void } {
    let finish = (): void => undefined;
    this.#closing = new Promise((resolve) => {
      finish = resolve;
    });
    return { finish };
  }

  #client(): ProtocolClient {
    const client = { isOpen: true, transport: { stderr: '' }, close: () => this.#closing };
    return client as unknown as ProtocolClient;
  }
}
