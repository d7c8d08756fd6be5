import { defineTool } from './native-tool.ts';
import type { NativeTool } from './native-tool.ts';
import { shownCharacters } from './result-limit.ts';
import type { ResultStore } from './result-store.ts';

export const READ_RESULT = 'read_result';

const PARAMS = {
  type: 'object',
  properties: {
    handle: { type: 'string', description: 'The handle that the cut result names.' },
    offset: { type: 'integer', minimum: 0, description: 'Where to begin, in characters; 0 unless given.' },
    length: { type: 'integer', minimum: 1, maximum: 50_000, description: 'How many characters; 20000 unless given.' },
  },
  required: ['handle'],
  additionalProperties: false,
} as const;

const DEFAULT_LENGTH = 20_000;
// For the line below the piece.
const FOOTER_LENGTH = 200;

/** The tool by which a model reads on in a result that was too long for it; no piece is longer than `limit`. */
export function readResultTool(results: ResultStore, limit: number): NativeTool {
  const maxLength = shownCharacters(limit) - FOOTER_LENGTH;
  return defineTool({
    name: READ_RESULT,
    description: 'Reads on in a tool result that was cut because it is too long.',
    params: PARAMS,
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: (params) => {
      const {
        handle,
        length = DEFAULT_LENGTH,
        ...from
      } = params as {
        handle: string;
        offset?: number;
        length?: number;
      };
      const piece = results.read(handle, { ...from, length: Math.min(length, maxLength) });
      const { text, offset, totalCharacters, nextOffset } = piece;
      const rest = nextOffset === undefined ? 'This is the end.' : `More from offset ${nextOffset}.`;
      const footer = `[Characters ${offset} to ${offset + text.length} of ${totalCharacters}. ${rest}]`;
      // Joined, because a slice that is put into a template keeps the whole text in memory.
      return [text, footer].join('\n');
    },
  });
}
