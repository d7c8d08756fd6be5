import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { LineFile, wholeLines } from './line-file.ts';

test('the file is made for its owner alone, and so is its folder', async () => {
  await using folder = await openTemporaryFolder();
  const path = folder.file('state/events.jsonl');
  await new LineFile(path, 1000).prepare();
  expect([path, folder.file('state')].map((name) => (statSync(name).mode & 0o777).toString(8))).toEqual(['600', '700']);
});

test('a file that others could read is theirs no more', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), '', { mode: 0o644 });
  await new LineFile(folder.file('events'), 1000).prepare();
  expect((statSync(folder.file('events')).mode & 0o777).toString(8)).toBe('600');
});

test('a torn last line is ended, not removed, when the file is made ready', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), 'one\ntwo\nto');
  const file = new LineFile(folder.file('events'), 1000);
  await file.prepare();
  await file.prepare();
  expect(readFileSync(folder.file('events'), 'utf8')).toBe('one\ntwo\nto\n');
});

test('a line that another process has torn meanwhile costs nothing but itself', async () => {
  await using folder = await openTemporaryFolder();
  const file = new LineFile(folder.file('events'), 1000);
  await file.prepare();
  writeFileSync(folder.file('events'), 'to');
  expect(await file.append(['one\n', 'two\n'])).toBe(2);
  expect(readFileSync(folder.file('events'), 'utf8')).toBe('to\none\ntwo\n');
});

test('a file that would grow over its limit is moved away first, in the place of the one before', async () => {
  await using folder = await openTemporaryFolder();
  const file = new LineFile(folder.file('events'), 8);
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'a line over the limit\n', 'six\n'])
    await file.append([line]);
  expect([folder.lines('events.1'), folder.lines('events')]).toEqual([['a line over the limit'], ['six']]);
});

test('a file that is over its limit already is moved away when it is made ready', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('events'), 'one\ntwo\nthree\n');
  await new LineFile(folder.file('events'), 8).prepare();
  expect([folder.lines('events.1'), folder.lines('events')]).toEqual([['one', 'two', 'three'], []]);
});

test('while another process rotates, nobody else does', async () => {
  await using folder = await openTemporaryFolder();
  const file = new LineFile(folder.file('events'), 8);
  await file.append(['one\n', 'two\n']);
  writeFileSync(folder.file('events.lock'), '');
  await file.append(['three\n']);
  expect([folder.lines('events.1'), folder.lines('events')]).toEqual([[], ['one', 'two', 'three']]);
  rmSync(folder.file('events.lock'));
  await file.append(['four\n']);
  expect([folder.lines('events.1'), folder.lines('events')]).toEqual([['one', 'two', 'three'], ['four']]);
});

test('a process that died while it rotated stops the others only for a while', async () => {
  await using folder = await openTemporaryFolder();
  const file = new LineFile(folder.file('events'), 8);
  await file.append(['one\n', 'two\n']);
  writeFileSync(folder.file('events.lock'), '');
  const longAgo = statSync(folder.file('events')).mtimeMs / 1000 - 60;
  utimesSync(folder.file('events.lock'), longAgo, longAgo);
  await file.append(['three\n']);
  await file.append(['four\n']);
  expect([folder.lines('events.1'), folder.lines('events')]).toEqual([['one', 'two', 'three'], ['four']]);
});

test('a folder that is gone is made again', async () => {
  await using folder = await openTemporaryFolder();
  mkdirSync(folder.file('state'));
  const file = new LineFile(folder.file('state/events'), 100);
  await file.prepare();
  rmSync(folder.file('state'), { recursive: true });
  await file.append(['one\n']);
  expect(folder.lines('state/events')).toEqual(['one']);
});

test('of a write that was cut short, the whole lines are counted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 4 })), fc.nat({ max: 40 }), (texts, bytes) => {
      const lines = texts.map((text) => `${text}\n`);
      const whole = wholeLines(lines, bytes);
      const size = (count: number): number => Buffer.byteLength(lines.slice(0, count).join(''));
      expect(size(whole)).toBeLessThanOrEqual(bytes);
      if (whole < lines.length) expect(size(whole + 1)).toBeGreaterThan(bytes);
    }),
  );
});
