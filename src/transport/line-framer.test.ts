import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineFramer } from './line-framer.ts';
import type { FrameEvent, FramerLimits } from './line-framer.ts';

const LIMITS: FramerLimits = { messageBytes: 100, floodBytes: 400 };

function frame(chunks: readonly (string | Buffer)[], limits: FramerLimits = LIMITS): readonly FrameEvent[] {
  const framer = new LineFramer(limits);
  return [...chunks.flatMap((chunk) => framer.push(Buffer.from(chunk))), ...framer.end()];
}

const line = (text: string): FrameEvent => ({ kind: 'line', text });

describe('LineFramer', () => {
  test('cuts lines wherever the chunks end', () => {
    expect(frame(['{"a"', ':1}\n{"b":2}\n{"', 'c":3}', '\n'])).toEqual([
      line('{"a":1}'),
      line('{"b":2}'),
      line('{"c":3}'),
    ]);
  });

  test('takes CRLF for a line break and leaves empty lines out', () => {
    expect(frame(['a\r\n', '\r', '\n\n', 'b\r', '\n'])).toEqual([line('a'), line('b')]);
  });

  test('keeps a character whole that is spread over chunks', () => {
    const bytes = Buffer.from('grüße 🙂\n');
    expect(frame([...bytes].map((byte) => Buffer.from([byte])))).toEqual([line('grüße 🙂')]);
  });

  test('gives what stands without a line break when the stream ends', () => {
    expect(frame(['a\nb'])).toEqual([line('a'), line('b')]);
  });

  test('lets a line of exactly the limit through', () => {
    expect(frame([`${'x'.repeat(100)}\n${'x'.repeat(101)}\n`])).toEqual([line('x'.repeat(100)), { kind: 'oversized' }]);
  });

  test('discards a line that is too long, tells whom it answers, and reads on', () => {
    const idLast = `{"result":{"text":"${'x'.repeat(200)}"},"jsonrpc":"2.0","id":7}\n`;
    const idFirst = `{"jsonrpc":"2.0","id":"eight","result":{"text":"${'x'.repeat(200)}"}}\n`;
    expect(frame([idLast, idFirst, 'next\n'])).toEqual([
      { kind: 'oversized', id: 7 },
      { kind: 'oversized', id: 'eight' },
      line('next'),
    ]);
  });

  test('tells whom a line that is too long answers, even if it comes byte by byte', () => {
    const bytes = Buffer.from(`{"result":{"text":"${'x'.repeat(200)}"},"jsonrpc":"2.0","id":7}\n`);
    expect(frame([...bytes].map((byte) => Buffer.from([byte])))).toEqual([{ kind: 'oversized', id: 7 }]);
  });

  test('finds both edges of a line far longer than what is kept of it', () => {
    const filler = 'x'.repeat(5000);
    const limits = { messageBytes: 3000, floodBytes: 20_000 };
    const idLast = `{"result":{"text":"${filler}"},"jsonrpc":"2.0","id":7}\n`;
    const idFirst = `{"jsonrpc":"2.0","id":8,"result":{"text":"${filler}"}}\n`;
    expect(frame([idLast, idFirst], limits)).toEqual([
      { kind: 'oversized', id: 7 },
      { kind: 'oversized', id: 8 },
    ]);
  });

  test('reports a flood once and frames nothing after it', () => {
    expect(frame(['a\n', 'x'.repeat(401), 'x'.repeat(500), '\nb\n'])).toEqual([line('a'), { kind: 'flood' }]);
  });

  test('reports a flood even if its line break comes in the same chunk', () => {
    expect(frame([`a\n${'x'.repeat(401)}\nb\n`])).toEqual([line('a'), { kind: 'flood' }]);
  });

  test('gives the same events for the same bytes, however they are cut', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', 'é', '🙂', '{"jsonrpc":"2.0","id":1,"result":{}}'),
      fc.constant(`\n{"result":{"text":"${'x'.repeat(100)}"},"jsonrpc":"2.0","id":5}\n`),
      fc.string({ maxLength: 40 }),
      fc.nat(30).map((count) => 'x'.repeat(count)),
    );
    const cuts = fc.array(fc.nat(2000), { maxLength: 40 });
    const limits = fc.record({
      messageBytes: fc.integer({ min: 1, max: 120 }),
      floodBytes: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), cuts, limits, (pieces, cutAt, given) => {
        const bytes = Buffer.from(pieces.join(''));
        expect(frame(cut(bytes, cutAt), given)).toEqual(frame([bytes], given));
      }),
      { numRuns: 500 },
    );
  });

  test('loses nothing: lines within the limits come out as they went in', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((value) => !/[\r\n]/.test(value));
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat(500)), (lines, cutAt) => {
        const bytes = Buffer.from(lines.map((value) => `${value}\n`).join(''));
        expect(frame(cut(bytes, cutAt))).toEqual(lines.map((value) => line(Buffer.from(value).toString())));
      }),
    );
  });
});

function cut(bytes: Buffer, cutAt: readonly number[]): readonly Buffer[] {
  const ends = [...new Set([...cutAt.filter((end) => end < bytes.length), bytes.length])].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
