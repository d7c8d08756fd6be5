import type { Logger } from '../../logger.ts';
import { silentLogger } from '../../logger.ts';
import { likeness } from './embedder.ts';
import type { Embedder } from './embedder.ts';
import { splitDescription } from './first-sentence.ts';
import type { ToolDocument } from './tool-document.ts';
import type { ToolHit, ToolSearchIndex, ToolSearchOptions } from './tool-search-index.ts';

export interface HybridToolSearchOptions {
  readonly embedder: Embedder;
  /** How much meaning counts beside words, from 0 to 1; a half by default. */
  readonly meaningShare?: number;
  /** How many texts the embedder gets at once; 64 by default. */
  readonly batchSize?: number;
  readonly logger?: Logger;
}

/** Ranks tools by words and by meaning; by words alone whenever the embedder fails. */
export class HybridToolSearch {
  readonly #index: ToolSearchIndex;
  readonly #options: HybridToolSearchOptions;
  // By text, so that a tool which returns unchanged is not embedded again.
  #vectors: ReadonlyMap<string, Float32Array> = new Map();

  constructor(index: ToolSearchIndex, options: HybridToolSearchOptions) {
    this.#index = index;
    this.#options = options;
  }

  async search(
    query: string,
    options: ToolSearchOptions & { readonly signal?: AbortSignal } = {},
  ): Promise<readonly ToolHit[]> {
    const documents = this.#index.documents();
    const byWords = this.#index.scores(query);
    const byMeaning = await this.#meaningScores(query, documents, options.signal);
    options.signal?.throwIfAborted();
    if (!byMeaning) return this.#index.search(query, options);
    const share = this.#options.meaningShare ?? 0.5;
    const scores = new Map(
      documents.map(({ name }, place) => [name, (1 - share) * (byWords[place] ?? 0) + share * (byMeaning[place] ?? 0)]),
    );
    // The index may have changed while the embedder worked: what is new has no score yet, what is gone is not asked for.
    const current = this.#index.documents().map(({ name }) => scores.get(name) ?? 0);
    return this.#index.searchByScores(query, toUnit(current), options);
  }

  async #meaningScores(
    query: string,
    documents: readonly ToolDocument[],
    signal: AbortSignal | undefined,
  ): Promise<readonly number[] | undefined> {
    try {
      const texts = documents.map(meaningText);
      const vectors = await this.#embedMissing(texts, signal);
      const [wanted] = await this.#options.embedder.embed([query], { signal });
      if (!wanted) throw new Error('the embedder gave no vector for the query');
      return stretched(texts.map((text) => likeness(wanted, vectors.get(text) ?? wanted.map(() => 0))));
    } catch (error) {
      const logger = this.#options.logger ?? silentLogger;
      logger.log('warn', 'Tools are searched by words alone: the embedder failed.', { error });
      return undefined;
    }
  }

  async #embedMissing(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const known = this.#vectors;
    const vectors = new Map(
      texts.flatMap((text) => {
        const vector = known.get(text);
        return vector ? [[text, vector] as const] : [];
      }),
    );
    const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
    const size = this.#options.batchSize ?? 64;
    for (let start = 0; start < missing.length; start += size) {
      const batch = missing.slice(start, start + size);
      const answers = await this.#options.embedder.embed(batch, { signal });
      if (answers.length !== batch.length)
        throw new Error(`the embedder gave ${answers.length} vectors for ${batch.length} texts`);
      for (const [place, text] of batch.entries()) vectors.set(text, answers[place] ?? new Float32Array());
    }
    this.#vectors = vectors;
    return vectors;
  }
}

function meaningText(document: ToolDocument): string {
  const server = [document.serverTitle ?? document.server, document.serverDescription].filter(Boolean).join(': ');
  const { first, rest } = splitDescription(document.description ?? '');
  return [document.title ?? document.tool ?? document.name, first, rest.slice(0, 500), server]
    .filter(Boolean)
    .join('\n');
}

/** Likenesses crowd in a narrow band; spread over 0 to 1 they can be added to scores of words. */
function stretched(values: readonly number[]): readonly number[] {
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const width = greatest - least;
  return width > 0 ? values.map((value) => (value - least) / width) : values.map(() => 0);
}

function toUnit(values: readonly number[]): readonly number[] {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  return greatest > 0 ? values.map((value) => value / greatest) : values;
}
