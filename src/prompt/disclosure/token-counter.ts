/** How many tokens a text has. */
export type CountTokens = (text: string) => number;

/** What the counts are counts of. */
export const TOKEN_METHOD = 'o200k_base';

/** Loads the tokenizer, which is large: only where somebody asks what something costs. */
export async function countTokens(): Promise<CountTokens> {
  const tokenizer = await import('gpt-tokenizer/encoding/o200k_base');
  // Texts come from servers: what looks like a control token there is text.
  return (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() });
}
