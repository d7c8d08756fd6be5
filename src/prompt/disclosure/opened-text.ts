import { toTokens } from '../prompt-tokens.ts';
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
  /** Keys that were open before. */
  readonly already: readonly string[];
}

/** What the model reads when sections were opened. */
export function openedText({ texts, tools, failed, already }: Opened, definitionTokens: number): string {
  return [
    ...(already.length > 0 ? [`Already open: ${already.join(', ')}.`] : []),
    ...texts,
    toolsText(tools, definitionTokens),
    ...failed.map(
      ({ server, reason }) =>
        `Server '${server}' could not be started, so its tools are missing: ${reason} The section is open; go on without them, or tell the user.`,
    ),
  ].join('\n\n');
}

function toolsText(tools: readonly DefinedTool[], definitionTokens: number): string {
  if (tools.length === 0) return 'It brings no new tools.';
  const definitions = tools.map(definitionText);
  const characters = definitions.reduce((sum, text) => sum + text.length, 0);
  const isSmall = toTokens(characters) <= definitionTokens;
  const lines = isSmall ? definitions : tools.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  return [`Tools you can call now (${tools.length}):`, ...lines].join('\n');
}
