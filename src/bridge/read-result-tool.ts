import { defineTool } from './native-tool.ts';
import type { NativeTool } from './native-tool.ts';
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

/** The tool by which a model reads on in a result that was too long for it. */
export function readResultTool(results: ResultStore): NativeTool {
  return defineTool({
    name: READ_RESULT,
    description: 'Reads on in a tool result that was cut because it is too long.',
    params: PARAMS,
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: (params) => {
      const { handle, ...range } = params as { handle: string; offset?: number; length?: number };
      const { text, offset, totalCharacters, nextOffset } = results.read(handle, range);
      const rest = nextOffset === undefined ? 'This is the end.' : `More from offset ${nextOffset}.`;
      return `${text}\n[Characters ${offset} to ${offset + text.length} of ${totalCharacters}. ${rest}]`;
    },
  });
}
