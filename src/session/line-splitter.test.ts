import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

test('lines come out whole however their bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 10 }).map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const splitter = new LineSplitter(1000);
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const buffer = Buffer.alloc(size);
      const found: (string | undefined)[] = [];
      for (let start = 0; start < bytes.length; start += size) {
        const copied = bytes.copy(buffer, 0, start, start + size);
        found.push(...splitter.push(buffer.subarray(0, copied)));
      }
      expect([found, splitter.end()]).toEqual([lines, '']);
    }),
  );
});

test('a line over the limit is passed over, and the next is whole again', () => {
  const splitter = new LineSplitter(4);
  const found = ['12', '34', '5\nnext\n', 'end'].flatMap((text) => splitter.push(Buffer.from(text)));
  expect([found, splitter.end()]).toEqual([[undefined, 'next'], 'end']);
});
