import type { Tool } from '../../bridge/tool.ts';
import { ToolSearchIndex } from '../search/tool-search-index.ts';
import type { ToolHit } from '../search/tool-search-index.ts';
import type { CatalogBook } from './catalog-book.ts';
import { DISCLOSURE_TOOL_NAMES } from './disclosure-tools.ts';
import type { SearchRequest } from './disclosure-tools.ts';
import type { Sight } from './section-sight.ts';
import { toolDocuments } from './tool-documents.ts';

/** Finds tools in sight and hidden ones; the index is made at the first search, and again when something has changed. */
export class RunSearch {
  readonly #catalogs: CatalogBook;
  #made: { readonly index: ToolSearchIndex; readonly sight: Sight; readonly version: number } | undefined;

  constructor(catalogs: CatalogBook) {
    this.#catalogs = catalogs;
  }

  find({ query, limit }: SearchRequest, sight: Sight, tools: readonly Tool[]): readonly ToolHit[] {
    const { version } = this.#catalogs;
    if (this.#made?.sight !== sight || this.#made.version !== version) {
      const inSight = tools.filter(({ name }) => !DISCLOSURE_TOOL_NAMES.has(name));
      const hidden = [...sight.closed.values()].flat();
      const documents = toolDocuments(inSight, hidden, (server) => this.#catalogs.toolsOf(server));
      this.#made = { index: new ToolSearchIndex(documents), sight, version };
    }
    return this.#made.index.search(query, limit === undefined ? {} : { limit });
  }
}
