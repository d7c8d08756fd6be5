import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { Output } from './output.ts';
import { ProgressLine } from './progress-line.ts';

function openOutput(isTTY: boolean): { readonly output: Output; readonly take: () => string } {
  let written = '';
  const stderr = { isTTY, write: (text: string | Uint8Array) => (written += String(text)) };
  const output = new Output({ stdout: { write: () => undefined }, stderr, env: {}, noColor: true });
  const take = (): string => {
    const taken = stripVTControlCharacters(written).replaceAll('\r', '');
    written = '';
    return taken;
  };
  return { output, take };
}

test('the line steps aside while something else needs the terminal, then comes back', async () => {
  const clock = new ManualClock();
  const { output, take } = openOutput(true);
  using _progress = new ProgressLine(output, clock, () => 'calling');
  expect(take()).toContain('calling 0.0 s');
  const work = _progress.aside(async () => {
    take();
    await clock.advance(1000);
    return take();
  });
  expect([await work, take()]).toEqual(['', expect.stringContaining('calling 1.0 s')]);
});

test('a line that is over does not come back', async () => {
  const clock = new ManualClock();
  const { output, take } = openOutput(true);
  const progress = new ProgressLine(output, clock, () => 'calling');
  await progress.aside(() => {
    progress[Symbol.dispose]();
    take();
    return Promise.resolve();
  });
  await clock.advance(1000);
  expect(take()).toBe('');
});

test('where no terminal shows it there is none', async () => {
  const { output, take } = openOutput(false);
  using progress = new ProgressLine(output, new ManualClock(), () => 'calling');
  expect([await progress.aside(() => Promise.resolve(1)), take()]).toEqual([1, '']);
});
