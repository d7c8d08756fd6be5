import { oneLine } from '../search/first-sentence.ts';
import { definitionText } from './definition-text.ts';
import type { DefinedTool } from './definition-text.ts';

/** Up to so many tokens the definitions of opened tools are told with them. */
export const DEFAULT_DEFINITION_TOKENS = 2000;

/** A server that did not start, and why. */
export interface FailedServer {
  readonly server: string;
  readonly reason: string;
}

/** What opening sections has brought. */
export interface Opened {
  readonly texts: readonly string[];
  readonly tools: readonly DefinedTool[];
  readonly failed: readonly FailedServer[];
  readonly definitions: 'shown' | 'deferred';
  /** Keys that were open before. */
  readonly already: readonly string[];
}

/** What the model reads when sections were opened. */
export function openedText({ texts, tools, failed, already, definitions }: Opened): string {
  return [
    ...(already.length > 0 ? [`Already open: ${already.join(', ')}.`] : []),
    ...texts,
    toolsText(tools, definitions),
    ...failed.map(
      ({ server, reason }) =>
        `Server '${server}' could not be started, so its tools are missing: ${reason} The section is open; go on without them, or tell the user.`,
    ),
  ].join('\n\n');
}

/** What the model reads of tools that have come into sight. */
export function toolsText(tools: readonly DefinedTool[], definitions: Opened['definitions']): string {
  if (tools.length === 0) return 'It brings no new tools.';
  if (definitions === 'shown')
    return [`Tools you can call now (${tools.length}):`, ...tools.map(definitionText)].join('\n');
  const lines = tools.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  const how = 'Their definitions are long: call `search_tools` with `select:name,name` for those that you need.';
  return [`Tools of the opened sections (${tools.length}). ${how}`, ...lines].join('\n');
}
