import { expect, test } from 'vitest';
import { LiveRegion } from './live-region.ts';

const HIDE = '\u001B[?25l';
const SHOW = '\u001B[?25h';
const CLEAR = '\u001B[0J';

function recordingStream(size: { columns?: number; rows?: number } = {}): {
  written: string[];
  write(text: string): void;
  columns?: number;
  rows?: number;
} {
  const written: string[] = [];
  return { ...size, written, write: (text) => written.push(text) };
}

test('lines are drawn over the former ones', () => {
  const stream = recordingStream();
  const region = new LiveRegion(stream);
  region.show(['one', 'two']);
  region.show(['three']);
  expect(stream.written).toEqual([`\r${CLEAR}${HIDE}one\ntwo\n`, `\r\u001B[2A${CLEAR}${HIDE}three\n`]);
});

test('the same lines are not drawn twice', () => {
  const stream = recordingStream();
  const region = new LiveRegion(stream);
  region.show(['one']);
  region.show(['one']);
  expect(stream.written.length).toBe(1);
});

test('lasting lines go above the region', () => {
  const stream = recordingStream();
  const region = new LiveRegion(stream);
  region.show(['table']);
  region.above('warning');
  expect(stream.written[1]).toBe(`\r\u001B[1A${CLEAR}warning\ntable\n`);
});

test('a terminal that became narrower has wrapped the lines it showed', () => {
  const stream = recordingStream({ columns: 80 });
  const region = new LiveRegion(stream);
  region.show(['\u001B[31m1234567890\u001B[39m', '123']);
  stream.columns = 5;
  region.show(['x']);
  expect(stream.written[1]).toBe(`\r\u001B[3A${CLEAR}${HIDE}x\n`);
});

test('a region higher than the terminal is cut', () => {
  const stream = recordingStream({ rows: 4 });
  new LiveRegion(stream).show(['1', '2', '3', '4', '5']);
  expect(stream.written).toEqual([`\r${CLEAR}${HIDE}1\n2\n… 3 more lines\n`]);
});

test('clearing and leaving give the cursor back, once', () => {
  const stream = recordingStream();
  const region = new LiveRegion(stream);
  region.show(['one']);
  region.clear();
  region.clear();
  region.show(['two']);
  region.leave();
  region.leave();
  expect(stream.written).toEqual([
    `\r${CLEAR}${HIDE}one\n`,
    `\r\u001B[1A${CLEAR}${SHOW}`,
    `\r${CLEAR}${HIDE}two\n`,
    SHOW,
  ]);
});
