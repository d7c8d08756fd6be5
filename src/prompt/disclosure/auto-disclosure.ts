import { toTokens } from '../prompt-tokens.ts';
import { definitionText } from './definition-text.ts';
import type { DefinedTool } from './definition-text.ts';

const FEW_TOOLS = 10;
const SMALL_SHARE = 0.05;

/** Whether tools are so few or so small that hiding them costs more turns than it saves tokens. */
export function fitsEagerly(tools: readonly DefinedTool[], contextWindow: number | undefined): boolean {
  if (tools.length < FEW_TOOLS) return true;
  if (contextWindow === undefined) return false;
  let characters = 0;
  for (const tool of tools) characters += definitionText(tool).length;
  return toTokens(characters) <= contextWindow * SMALL_SHARE;
}
