import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { Interruption } from './interruption.ts';
import type { StopReason } from './interruption.ts';
import { Output } from './output.ts';
import { hintAtWaiting } from './waiting-hint.ts';

/** What is on the terminal after a wish to stop, once a second has passed. */
async function afterSecond({ reason = 'SIGINT', verb = 'status', isTTY = true }: Partial<Situation>): Promise<string> {
  const clock = new ManualClock();
  const interruption = new Interruption({ clock, force: () => undefined });
  interruption.request(reason);
  let written = '';
  const stderr = { isTTY, write: (text: string | Uint8Array) => (written += String(text)) };
  const output = new Output({ stdout: { write: () => undefined }, stderr, env: {}, noColor: true });
  hintAtWaiting({ verb, clock, output, interruption });
  await clock.advance(999);
  expect(written).toBe('');
  await clock.advance(1);
  return written;
}

interface Situation {
  readonly reason: StopReason;
  readonly verb: string;
  readonly isTTY: boolean;
}

test('whoever waits after Ctrl-C is told how not to', async () => {
  expect(await afterSecond({})).toBe('Ending the servers; Ctrl-C again does not wait.\n');
});

test.for([{ reason: 'SIGTERM' }, { reason: 'output-closed' }, { verb: 'up' }, { isTTY: false }] as const)(
  'nobody is told with %j',
  async (situation) => {
    expect(await afterSecond(situation)).toBe('');
  },
);
