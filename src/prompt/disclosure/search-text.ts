import { wholeCharacters } from '../../bridge/result-store.ts';
import type { ToolHit } from '../search/tool-search-index.ts';
import { isSectionName } from './tool-documents.ts';

/** What the model reads of a search. */
export function searchText(query: string, hits: readonly ToolHit[], closed: readonly string[]): string {
  if (hits.length === 0) {
    const where = closed.length === 0 ? '' : ` Closed sections: ${closed.slice(0, 20).join(', ')}.`;
    return `Nothing fits '${query.slice(0, wholeCharacters(query, 100))}'. Use other words for what the tool should do.${where}`;
  }
  const lines = hits.map(lineOf);
  const isAnyClosed = hits.some(({ section }) => section !== undefined);
  return isAnyClosed
    ? [...lines, 'Open a section with `open_sections` before you call its tools.'].join('\n')
    : lines.join('\n');
}

function lineOf({ name, section, oneLine }: ToolHit): string {
  if (section === undefined) return `- ${name}: ${oneLine}`;
  if (isSectionName(name)) return `- section ${section} (closed, its tools are unknown until it is opened): ${oneLine}`;
  return `- ${name} (closed section ${section}): ${oneLine}`;
}
