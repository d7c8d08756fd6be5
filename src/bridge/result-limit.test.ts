import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldMb } from '../../test/faults/memory.ts';
import type { Content } from '../call/content.ts';
import { limitContent, limitMessage } from './result-limit.ts';
import { ResultStore } from './result-store.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 4_000 });
const pieces = fc.oneof<fc.Arbitrary<Content>[]>(
  fc.record({ type: fc.constant('text'), text: texts }),
  fc.record({ type: fc.constant('image'), data: fc.base64String(), mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: fc.webUrl(), text: texts }) }),
);

test('whatever is cut can be read; other kinds, and what resources are, stay', () => {
  const contents = fc.array(pieces, { maxLength: 8 });
  fc.assert(
    fc.property(contents, fc.nat(9_000), fc.integer({ min: 1, max: 3_000 }), (content, limit, length) => {
      const store = new ResultStore();
      const { content: kept, truncated } = limitContent(content, limit, store);
      expect(kept.filter(({ type }) => type === 'image')).toEqual(content.filter(({ type }) => type === 'image'));
      expect(kept.filter(({ type }) => type === 'resource').map(uriOf)).toEqual(
        content.filter(({ type }) => type === 'resource').map(uriOf),
      );
      if (!truncated) {
        expect(kept).toEqual(content);
        return;
      }
      const rest = readAll(store, truncated.handle, length);
      const all = content.flatMap(textIn);
      expect(rest.length).toBe(truncated.totalCharacters);
      expect(all.join('\n').endsWith(rest)).toBe(true);
      const whole = all.slice(0, all.length - countOfJoined(all, rest));
      expect(kept.flatMap(textIn).slice(0, whole.length)).toEqual(whole);
    }),
  );
});

test('a result within its limit is the same object', () => {
  const content = [{ type: 'text', text: 'x'.repeat(100) }] as const;
  expect(limitContent(content, 100, new ResultStore()).content).toBe(content);
});

test('a message stays as it is unless it is the text that was cut', () => {
  const limited = limitContent([{ type: 'text', text: 'x'.repeat(5_000) }], 3_000, new ResultStore());
  expect(limitMessage('it ran, but', limited, 3_000)).toBe('it ran, but');
  expect(limitMessage('x'.repeat(5_000), limited, 3_000).length).toBeLessThan(3_500);
});

test('what is shown does not hold on to what was cut', () => {
  const store = { keep: (): string => 'result-1' };
  const before = heldMb();
  const shown = Array.from({ length: 400 }, () => {
    const text = Buffer.alloc(400_000, 'x').toString('latin1');
    return limitContent([{ type: 'text', text }], 4_000, store);
  });
  expect(shown).toHaveLength(400);
  expect(heldMb() - before).toBeLessThan(60);
});

function readAll(store: ResultStore, handle: string, length: number): string {
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const piece = store.read(handle, { offset, length });
    text += piece.text;
    offset = piece.nextOffset;
  }
  return text;
}

/** How many of the last texts make up the joined one. */
function countOfJoined(all: readonly string[], joined: string): number {
  return [...all.keys(), all.length].find((count) => all.slice(all.length - count).join('\n') === joined) ?? 0;
}

function uriOf(piece: Content): unknown {
  return (piece['resource'] as { uri: string }).uri;
}

function textIn(piece: Content): readonly string[] {
  if (piece.type === 'text') return [String(piece['text'])];
  return piece.type === 'resource' ? [(piece['resource'] as { text: string }).text] : [];
}
