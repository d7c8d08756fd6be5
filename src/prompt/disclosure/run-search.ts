import type { Tool } from '../../bridge/tool.ts';
import type { Logger } from '../../logger.ts';
import type { Embedder } from '../search/embedder.ts';
import { HybridToolSearch } from '../search/hybrid-tool-search.ts';
import type { ToolDocument } from '../search/tool-document.ts';
import { ToolSearchIndex } from '../search/tool-search-index.ts';
import type { ToolHit } from '../search/tool-search-index.ts';
import type { CatalogBook } from './catalog-book.ts';
import { DISCLOSURE_TOOL_NAMES } from './disclosure-tools.ts';
import type { SearchRequest } from './disclosure-tools.ts';
import type { Sight } from './section-sight.ts';
import { toolDocuments } from './tool-documents.ts';

export interface RunSearchOptions {
  readonly catalogs: CatalogBook;
  /** Ranks by meaning too. */
  readonly embedder: Embedder | undefined;
  readonly logger: Logger;
}

/** What is searched at one moment. */
export interface SearchGround {
  readonly sight: Sight;
  /** All that can be called. */
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
}

/** Finds tools in sight and hidden ones; the index is made at the first search, and follows what has changed since. */
export class RunSearch {
  readonly #catalogs: CatalogBook;
  readonly #index = new ToolSearchIndex();
  readonly #hybrid: HybridToolSearch | undefined;
  #made: { readonly sight: Sight; readonly version: number } | undefined;

  constructor({ catalogs, embedder, logger }: RunSearchOptions) {
    this.#catalogs = catalogs;
    this.#hybrid = embedder && new HybridToolSearch(this.#index, { embedder, logger });
  }

  async find({ query, limit }: SearchRequest, ground: SearchGround): Promise<readonly ToolHit[]> {
    this.#follow(ground);
    const options = limit === undefined ? {} : { limit };
    if (!this.#hybrid) return this.#index.search(query, options);
    return this.#hybrid.search(query, { ...options, signal: ground.signal });
  }

  #follow({ sight, tools }: SearchGround): void {
    const { version } = this.#catalogs;
    if (this.#made?.sight === sight && this.#made.version === version) return;
    const about = new Map(sight.servers.map(({ name, description }) => [name, description]));
    const inSight = tools
      .filter(({ name }) => !DISCLOSURE_TOOL_NAMES.has(name))
      .map((tool) => ({ ...tool, serverDescription: about.get(tool.server ?? '') }));
    const hidden = [...sight.closed.values()].flat();
    const documents = toolDocuments(inSight, hidden, (server) => this.#catalogs.toolsOf(server));
    const known = new Map(this.#index.documents().map((document) => [document.name, document]));
    const wanted = new Set(documents.map(({ name }) => name));
    this.#index.remove([...known.keys()].filter((name) => !wanted.has(name)));
    this.#index.add(documents.filter((document) => !isSame(document, known.get(document.name))));
    this.#made = { sight, version };
  }
}

/** Whether an index would say the same of both. */
function isSame(left: ToolDocument, right: ToolDocument | undefined): boolean {
  if (!right || left.section?.key !== right.section?.key || left.section?.title !== right.section?.title) return false;
  return FIELDS.every((field) => left[field] === right[field]);
}

const FIELDS = [
  'server',
  'tool',
  'title',
  'description',
  'inputSchema',
  'serverTitle',
  'serverDescription',
] as const satisfies readonly (keyof ToolDocument)[];
