import type { PromptTokens, RenderedContents } from './rendered-prompt.ts';

// The usual figure for English and JSON; a tokenizer takes its place where one is loaded.
const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a rendered prompt, without a tokenizer. */
export async function estimateTokens({ text, tools }: RenderedContents): Promise<PromptTokens> {
  const definitions = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  const ofText = toTokens(text.length);
  const ofTools = toTokens(definitions.join('').length);
  return { method: 'estimate', text: ofText, tools: ofTools, total: ofText + ofTools };
}

/** What so many characters cost, roughly. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
