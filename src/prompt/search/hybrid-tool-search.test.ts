import { describe, expect, test } from 'vitest';
import type { Embedder } from './embedder.ts';
import { HybridToolSearch } from './hybrid-tool-search.ts';
import { ToolSearchIndex } from './tool-search-index.ts';

const documents = [
  { name: 'forecast', description: 'Weather of the next days.' },
  { name: 'quote', description: 'Price of a share.' },
  { name: 'translate', description: 'Words in another language.' },
];
const TOPICS = [/weather|umbrella/i, /price|share|invest/i, /language|french/i];

/** A fake: it knows three topics by their words, and no meaning at all. */
class FakeEmbedder implements Embedder {
  readonly asked: string[] = [];

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.asked.push(...texts);
    return texts.map((text) => Float32Array.from(TOPICS, (topic) => (topic.test(text) ? 1 : 0.1)));
  }
}

describe('HybridToolSearch', () => {
  test('finds by meaning what shares no word', async () => {
    const index = new ToolSearchIndex(documents);
    expect(index.search('do I need an umbrella')).toEqual([]);
    const hybrid = new HybridToolSearch(index, { embedder: new FakeEmbedder() });
    expect((await hybrid.search('do I need an umbrella'))[0]).toEqual({
      name: 'forecast',
      oneLine: 'Weather of the next days.',
      score: 1,
    });
  });

  test('counts words and meaning by their shares', async () => {
    const index = new ToolSearchIndex(documents);
    const nameOf = async (meaningShare: number): Promise<string | undefined> => {
      const hybrid = new HybridToolSearch(index, { embedder: new FakeEmbedder(), meaningShare });
      return (await hybrid.search('french quote'))[0]?.name;
    };
    expect(await nameOf(0.1)).toBe('quote');
    expect(await nameOf(0.9)).toBe('translate');
  });

  test('finds names before meanings', async () => {
    const hybrid = new HybridToolSearch(new ToolSearchIndex(documents), { embedder: new FakeEmbedder() });
    expect((await hybrid.search('select:quote')).map(({ name }) => name)).toEqual(['quote']);
    expect((await hybrid.search('translate', { limit: 1 })).map(({ name }) => name)).toEqual(['translate']);
  });

  test('embeds a tool once, and what is new when it comes', async () => {
    const embedder = new FakeEmbedder();
    const index = new ToolSearchIndex(documents);
    const hybrid = new HybridToolSearch(index, { embedder, batchSize: 2 });
    await hybrid.search('umbrella');
    await hybrid.search('umbrella');
    expect(embedder.asked).toHaveLength(documents.length + 2);
    index.add([{ name: 'rain', description: 'Umbrella shop.' }]);
    await hybrid.search('umbrella');
    expect(embedder.asked).toHaveLength(documents.length + 4);
  });

  test.each<[string, Embedder]>([
    ['fails', { embed: () => Promise.reject(new Error('no model')) }],
    ['gives too few vectors', { embed: async () => [] }],
  ])('ranks by words alone when the embedder %s', async (_, embedder) => {
    const lines: string[] = [];
    const logger = { log: (_level: string, message: string) => void lines.push(message) };
    const index = new ToolSearchIndex(documents);
    const hybrid = new HybridToolSearch(index, { embedder, logger });
    expect(await hybrid.search('price of a share')).toEqual(index.search('price of a share'));
    expect(lines).toEqual(['Tools are searched by words alone: the embedder failed.']);
  });

  test('gives finite scores whatever the vectors hold', async () => {
    const odd = [Float32Array.of(Number.NaN, 1, 0), Float32Array.of(0, 0, 0), Float32Array.of(1)];
    const embedder: Embedder = {
      embed: async (texts) => texts.map((_, place) => odd[place % 3] ?? new Float32Array()),
    };
    const hybrid = new HybridToolSearch(new ToolSearchIndex(documents), { embedder });
    for (const { score } of await hybrid.search('price of words')) expect(Number.isFinite(score)).toBe(true);
  });

  test('ends with the reason when it is aborted', async () => {
    const hybrid = new HybridToolSearch(new ToolSearchIndex(documents), { embedder: new FakeEmbedder() });
    const reason = new Error('enough');
    await expect(hybrid.search('share', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
