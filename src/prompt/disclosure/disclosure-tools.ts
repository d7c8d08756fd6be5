import type { NativeTool, ToolReply } from '../../bridge/native-tool.ts';
import { defineTool } from '../../bridge/native-tool.ts';
import type { ToolContext } from '../../bridge/tool-context.ts';

/** What the three tools ask of the run they belong to. */
export interface SectionDesk {
  open(keys: readonly string[], reason: string, context: ToolContext): Promise<ToolReply>;
  read(key: string, context: ToolContext): Promise<ToolReply>;
  search(request: SearchRequest, context: ToolContext): Promise<ToolReply>;
}

export interface SearchRequest {
  readonly query: string;
  readonly limit?: number;
  readonly open?: boolean;
}

export const OPEN_SECTIONS = 'open_sections';
export const READ_SECTION = 'read_section';
export const SEARCH_TOOLS = 'search_tools';

export const DISCLOSURE_TOOL_NAMES: ReadonlySet<string> = new Set([OPEN_SECTIONS, READ_SECTION, SEARCH_TOOLS]);

// Servers may have to be started, several at once.
const OPENING_TIMEOUT_MS = 120_000;

/** The three tools, in the order in which an agent gets them. */
export function disclosureTools(desk: SectionDesk): readonly NativeTool[] {
  return [openSectionsTool(desk), readSectionTool(desk), searchToolsTool(desk)];
}

/** Opens closed sections: their text comes as the answer, their tools at the end of the list. */
function openSectionsTool(desk: SectionDesk): NativeTool {
  return defineTool({
    name: OPEN_SECTIONS,
    description: 'Opens closed sections: shows their text and adds their tools. Open several at once.',
    params: {
      type: 'object',
      properties: {
        section_keys: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Whole keys.' },
        reason: { type: 'string', description: 'Why they are needed.' },
      },
      required: ['section_keys', 'reason'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    timeoutMs: OPENING_TIMEOUT_MS,
    handler: (params, context) => {
      const { section_keys: keys, reason } = params as { section_keys: readonly string[]; reason: string };
      return desk.open(keys, reason, context);
    },
  });
}

/** Shows a closed section that has no tools; it stays closed. */
function readSectionTool(desk: SectionDesk): NativeTool {
  return defineTool({
    name: READ_SECTION,
    description: 'Shows the text of a closed section that has no tools.',
    params: {
      type: 'object',
      properties: { section_key: { type: 'string', description: 'Its whole key.' } },
      required: ['section_key'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    handler: (params, context) => desk.read((params as { section_key: string }).section_key, context),
  });
}

/** Finds tools in open and closed sections. */
function searchToolsTool(desk: SectionDesk): NativeTool {
  return defineTool({
    name: SEARCH_TOOLS,
    description: 'Finds tools in open and closed sections by what one step needs, by name, or by `select:name,name`.',
    params: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: '10 unless given.' },
        open: { type: 'boolean', description: 'Also opens the sections of the best hits.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    timeoutMs: OPENING_TIMEOUT_MS,
    handler: (params, context) => desk.search(params as unknown as SearchRequest, context),
  });
}
