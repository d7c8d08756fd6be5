import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { Interruption } from './interruption.ts';

function start(): { readonly clock: ManualClock; readonly forced: number[]; readonly interruption: Interruption } {
  const clock = new ManualClock();
  const forced: number[] = [];
  return { clock, forced, interruption: new Interruption({ clock, force: (status) => forced.push(status) }) };
}

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['output-closed', 0],
  ['output-failed', 1],
] as const)('%s aborts the work and stands for status %i', async ([reason, status]) => {
  const { interruption, forced } = start();
  const requested = interruption.requested();
  interruption.request(reason);
  await requested;
  await interruption.requested();
  expect({
    aborted: interruption.signal.aborted,
    reason: interruption.reason,
    status: interruption.status,
    forced,
  }).toEqual({
    aborted: true,
    reason,
    status,
    forced: [],
  });
});

test('a second Ctrl-C forces the end', async () => {
  const { interruption, clock, forced } = start();
  interruption.request('SIGINT');
  await clock.advance(1000);
  interruption.request('SIGINT');
  expect(forced).toEqual([130]);
});

test('the Ctrl-C that npm passes on is the same request', async () => {
  const { interruption, clock, forced } = start();
  interruption.request('SIGINT');
  await clock.advance(50);
  interruption.request('SIGINT');
  expect(forced).toEqual([]);
});

test('a closed output never forces anything', async () => {
  const { interruption, clock, forced } = start();
  interruption.request('SIGINT');
  await clock.advance(1000);
  interruption.request('output-closed');
  expect([forced, interruption.status]).toEqual([[], 130]);
});

test('any number of servers may listen without a warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on('warning', onWarning);
  const { signal } = start().interruption;
  for (let server = 0; server < 50; server += 1) signal.addEventListener('abort', () => server);
  await settle();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
