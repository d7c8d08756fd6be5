import type { SessionScope } from '../../session/session-scope.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderOptions } from '../render-options.ts';
import type { PromptTokens, RenderedContents } from '../rendered-prompt.ts';
import type { CatalogBook } from './catalog-book.ts';
import { definitionText } from './definition-text.ts';
import type { DefinedTool } from './definition-text.ts';
import { countTokens, TOKEN_METHOD } from './token-counter.ts';
import type { CountTokens } from './token-counter.ts';

/** What a section's own tools cost, those of sections within it not counted. */
export interface SectionTokens {
  readonly path: string;
  readonly tools: number;
  readonly tokens: number;
  /** Servers of which nothing is known yet. */
  readonly unknown: readonly string[];
}

/** What a prompt costs the model, now and with everything open. */
export interface RunTokens extends PromptTokens {
  readonly sections: readonly SectionTokens[];
  readonly allOpen: Pick<PromptTokens, 'text' | 'tools' | 'total'>;
}

export interface TokenGround {
  readonly prompt: Prompt;
  readonly catalogs: CatalogBook;
  readonly session: SessionScope;
  readonly render: Omit<RenderOptions, 'session' | 'closed'>;
}

/** Counts with a tokenizer, when somebody asks; tools of servers count as far as they are known. */
export async function countRunTokens(contents: RenderedContents, ground: TokenGround): Promise<RunTokens> {
  const { prompt, catalogs, session, render } = ground;
  const count = await countTokens();
  const visibility = new Map(prompt.paths.map((path) => [path, 'full'] as const));
  const open = await prompt.render({ ...render, session, visibility });
  catalogs.add(open.mcps);
  return {
    method: TOKEN_METHOD,
    ...costOf(contents, ground.catalogs, count),
    sections: sectionsOf(ground, count),
    allOpen: costOf(open, ground.catalogs, count),
  };
}

/** The same with the tools that an agent is really given, those that open sections and pinned ones included. */
export async function withTools(tokens: RunTokens, tools: readonly DefinedTool[]): Promise<RunTokens> {
  const ofTools = tokensOf(tools, await countTokens());
  return { ...tokens, tools: ofTools, total: tokens.text + ofTools };
}

function costOf(
  { text, tools, mcps }: Pick<RenderedContents, 'text' | 'tools' | 'mcps'>,
  catalogs: CatalogBook,
  count: CountTokens,
): Pick<PromptTokens, 'text' | 'tools' | 'total'> {
  const ofText = count(text);
  const ofTools = tokensOf([...tools, ...mcps.flatMap(({ name }) => catalogs.toolsOf(name) ?? [])], count);
  return { text: ofText, tools: ofTools, total: ofText + ofTools };
}

function sectionsOf({ prompt, catalogs }: TokenGround, count: CountTokens): readonly SectionTokens[] {
  return prompt.paths.flatMap((path): SectionTokens[] => {
    const section = prompt.findSection(path);
    if (!section?.mayOfferTools) return [];
    const servers = serversOf(() => section.mcps());
    const tools = [...section.declaredTools, ...servers.flatMap((name) => catalogs.toolsOf(name) ?? [])];
    const unknown = servers.filter((name) => catalogs.toolsOf(name) === undefined);
    return [{ path, tools: tools.length, tokens: tokensOf(tools, count), unknown }];
  });
}

/** Servers that depend on params which have no defaults cannot be told here. */
function serversOf(mcps: () => readonly { readonly name: string }[]): readonly string[] {
  try {
    return mcps().map(({ name }) => name);
  } catch {
    return [];
  }
}

function tokensOf(tools: readonly DefinedTool[], count: CountTokens): number {
  return tools.reduce((sum, tool) => sum + count(definitionText(tool)), 0);
}
