import type { SessionScope } from '../../session/session-scope.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderOptions } from '../render-options.ts';
import type { PromptTokens, RenderedContents } from '../rendered-prompt.ts';
import type { HiddenSection } from '../closed-section.ts';
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
  /** Servers of which nothing is known yet; the section's own path where it has to be made ready before anything is. */
  readonly unknown: readonly string[];
}

/** What an agent is given beside a rendering. */
export interface OfferedNow {
  /** With their definitions, those that open sections and pinned ones included. */
  readonly tools: readonly DefinedTool[];
  /** Without, because they have not been asked for. */
  readonly deferred: readonly DefinedTool[];
  /** What the agent reads after the rendered text. */
  readonly notes: string;
}

/** What a prompt costs the model, now and with everything open. */
export interface RunTokens extends PromptTokens {
  readonly sections: readonly SectionTokens[];
  /** Definitions of open sections that are held back until they are asked for; not part of the total. */
  readonly deferred: { readonly tools: number; readonly tokens: number };
  /** With everything open that is known, and every definition shown. */
  readonly allOpen: Pick<PromptTokens, 'text' | 'tools' | 'total'>;
}

export interface TokenGround {
  readonly prompt: Prompt;
  readonly catalogs: CatalogBook;
  readonly session: SessionScope;
  readonly render: Omit<RenderOptions, 'session' | 'closed'>;
  readonly offered: OfferedNow | undefined;
}

/** Counts with a tokenizer, when somebody asks; tools of servers count as far as they are known. */
export async function countRunTokens(contents: RenderedContents, ground: TokenGround): Promise<RunTokens> {
  const { prompt, catalogs, session, render, offered } = ground;
  const count = await countTokens();
  const closed = await prompt.render({ ...render, session, ...seen(prompt.paths, 'summary') });
  const hidden = closed.closedSections.flatMap((section) => section.contents());
  catalogs.add(hidden.flatMap(({ mcps }) => mcps));
  // What has to be made ready first cannot be rendered open.
  const unready = hidden.flatMap(({ path, unknown }) => (unknown === undefined ? [] : [path]));
  const open = await prompt.render({ ...render, session, ...seen(prompt.paths, 'full', unready) });
  const text = count(contents.text) + (offered?.notes ? count(offered.notes) : 0);
  const tools = tokensOf(offered?.tools ?? definedBy(contents, catalogs), count);
  const openText = count(open.text);
  const openTools = tokensOf(definedBy(open, catalogs), count);
  const deferred = offered?.deferred ?? [];
  return {
    method: TOKEN_METHOD,
    text,
    tools,
    total: text + tools,
    sections: hidden.flatMap((section) => costOf(section, ground, count)),
    deferred: { tools: deferred.length, tokens: tokensOf(deferred, count) },
    allOpen: { text: openText, tools: openTools, total: openText + openTools },
  };
}

/** All sections open or closed but for some that stay closed; nobody reads the text, but what it costs is counted. */
function seen(
  paths: readonly string[],
  visibility: 'full' | 'summary',
  closed: readonly string[] = [],
): Required<Pick<RenderOptions, 'visibility' | 'closed'>> {
  return {
    visibility: new Map(paths.map((path) => [path, closed.includes(path) ? 'summary' : visibility])),
    closed: { note: () => '', list: () => '' },
  };
}

function definedBy(
  { tools, mcps }: Pick<RenderedContents, 'tools' | 'mcps'>,
  catalogs: CatalogBook,
): readonly DefinedTool[] {
  return [...tools, ...mcps.flatMap((server) => catalogs.toolsOf(server) ?? [])];
}

function costOf(
  { path, tools, mcps, unknown }: HiddenSection,
  { prompt, catalogs }: TokenGround,
  count: CountTokens,
): readonly SectionTokens[] {
  if (!prompt.findSection(path)?.mayOfferTools) return [];
  const defined = definedBy({ tools, mcps }, catalogs);
  const unlisted = mcps.filter((server) => catalogs.toolsOf(server) === undefined).map(({ name }) => name);
  return [
    {
      path,
      tools: defined.length,
      tokens: tokensOf(defined, count),
      unknown: unknown === undefined ? unlisted : [path],
    },
  ];
}

function tokensOf(tools: readonly DefinedTool[], count: CountTokens): number {
  return tools.reduce((sum, tool) => sum + count(definitionText(tool)), 0);
}
