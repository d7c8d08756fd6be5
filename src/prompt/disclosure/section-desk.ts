import type { ToolReply } from '../../bridge/native-tool.ts';
import type { ToolContext } from '../../bridge/tool-context.ts';
import { wholeCharacters } from '../../bridge/result-store.ts';
import { messageOf } from '../../errors.ts';
import type { Prompt } from '../prompt.ts';
import type { Section } from '../section.ts';
import { selectedNames } from '../search/name-index.ts';
import type { ToolHit } from '../search/tool-search-index.ts';
import { setVisibility } from '../visibility.ts';
import type { SearchRequest, SectionDesk } from './disclosure-tools.ts';
import type { FailedServer } from './opened-text.ts';
import { openedText } from './opened-text.ts';
import { definitionText } from './definition-text.ts';
import type { DefinedTool } from './definition-text.ts';
import { searchText } from './search-text.ts';
import { isSectionName } from './tool-documents.ts';
import type { SectionSight, Sight } from './section-sight.ts';
import { hiddenPaths } from './section-sight.ts';
import { VisibilityExpansionRequired } from './visibility-expansion.ts';

/** What the desk needs of its run. */
export interface DeskGround {
  readonly prompt: Prompt;
  readonly sight: SectionSight;
  readonly expansion: 'append' | 'restart';
  readonly current: () => Sight;
  /** Makes this what the agent sees, starting servers of which nothing is known; tells which tools are new. */
  readonly bring: (sight: Sight, request: BringRequest) => Promise<Brought>;
  /** The run has to begin anew. */
  readonly park: (expansion: VisibilityExpansionRequired) => void;
  readonly find: (request: SearchRequest, context: ToolContext) => Promise<readonly ToolHit[]>;
  /** Shows the definitions of tools that were held back; gives those that were. */
  readonly define: (names: readonly string[]) => readonly DefinedTool[];
}

export interface BringRequest {
  readonly sections: readonly string[];
  readonly reason: string;
  readonly context: ToolContext;
}

export interface Brought {
  readonly tools: readonly DefinedTool[];
  readonly failed: readonly FailedServer[];
  /** Whether the definitions of the tools are in sight, or held back because they are much. */
  readonly definitions: 'shown' | 'deferred';
}

// One search must not start everything.
const MOST_OPENED_BY_SEARCH = 3;

/** Answers the tools by which a model sees more of a prompt. */
export class RunDesk implements SectionDesk {
  readonly #ground: DeskGround;

  constructor(ground: DeskGround) {
    this.#ground = ground;
  }

  async open(keys: readonly string[], reason: string, context: ToolContext): Promise<ToolReply> {
    const wanted = [...new Set(keys.map((key) => key.trim()))];
    const hidden = hiddenPaths(this.#ground.current());
    const closed = wanted.filter((key) => hidden.has(key));
    const already = wanted.filter((key) => !hidden.has(key));
    const shown = await Promise.all(already.map((key) => this.#isShown(key, context)));
    const unknown = already.filter((_, index) => !shown[index]);
    if (unknown.length > 0) return failure(`No section has the key ${quoted(unknown)}. ${this.#choices()}`);
    if (closed.length === 0) return failure(`Already open: ${wanted.join(', ')}. ${this.#choices()}`);
    return this.#open(closed, { reason, already, context });
  }

  async read(key: string, context: ToolContext): Promise<ToolReply> {
    const { prompt, sight, current } = this.#ground;
    const section = prompt.findSection(key);
    if (!section) return failure(`No section has the key ${quoted([key])}. ${this.#choices()}`);
    if (offersTools(section) && hiddenPaths(current()).has(key))
      return failure(`Section '${key}' has tools: call open_sections with its key.`);
    try {
      return await sight.textOf(key, context.session);
    } catch (error) {
      return failure(messageOf(error));
    }
  }

  async search(request: SearchRequest, context: ToolContext): Promise<ToolReply> {
    const { query } = request;
    const hits = await this.#ground.find(request, context);
    const sections = [...new Set(hits.flatMap(({ section }) => section ?? []))].slice(0, MOST_OPENED_BY_SEARCH);
    const opened =
      request.open && sections.length > 0
        ? await this.#open(sections, { reason: `search: ${query}`, already: [], context })
        : undefined;
    if (opened !== undefined && typeof opened !== 'string') return opened;
    // Names, asked for as such, are wanted.
    const isWanted = request.open || selectedNames(query) !== undefined;
    const defined = isWanted ? this.#ground.define(hits.map(({ name }) => name)) : [];
    const shown = this.#asOpenNow(hits);
    // A section whose tools were unknown is told by what it brought.
    const isTold = shown.length === 0 && opened !== undefined;
    const found = isTold ? [] : [searchText(query, shown, [...this.#ground.current().closed.keys()])];
    return [[...found, ...(opened === undefined ? [] : [opened])].join('\n\n'), ...defined.map(definitionText)].join(
      '\n',
    );
  }

  /** A section that was opened for a hit is closed no longer. */
  #asOpenNow(hits: readonly ToolHit[]): readonly ToolHit[] {
    const hidden = hiddenPaths(this.#ground.current());
    return hits.flatMap(({ section, ...hit }) => {
      if (section === undefined || hidden.has(section)) return section === undefined ? [hit] : [{ ...hit, section }];
      return isSectionName(hit.name) ? [] : [hit];
    });
  }

  async #open(
    keys: readonly string[],
    { reason, already, context }: Omit<BringRequest, 'sections'> & { readonly already: readonly string[] },
  ): Promise<ToolReply> {
    const { expansion, sight, current } = this.#ground;
    const { signal } = context;
    const before = current();
    const paths = this.#withAncestors(keys);
    const unready = await sight.prepare(paths, signal);
    if (unready.length > 0) return failure(unready.join('\n'));
    if (expansion === 'restart') {
      this.#ground.park(new VisibilityExpansionRequired(paths, reason));
      return `Sections expanded: ${keys.join(', ')}. The prompt will be rendered again with them open.`;
    }
    const missing = await sight.prepareWithin(paths, { before, session: context.session, signal });
    signal.throwIfAborted();
    for (const path of paths) setVisibility(context.session, path, 'full');
    const after = await sight.look(context.session, { before });
    // Whoever gave up must not see it change any more.
    signal.throwIfAborted();
    const sections = [...before.closed.keys()].filter((path) => !after.closed.has(path));
    const brought = await this.#ground.bring(after, { sections: keys, reason, context });
    const texts = await Promise.all(sections.map((path) => sight.textOf(path, context.session)));
    return openedText({ ...brought, texts: [...texts, ...missing], already });
  }

  /** A section within closed ones shows only if all of them are open too. */
  #withAncestors(keys: readonly string[]): readonly string[] {
    const { prompt, current } = this.#ground;
    const chains = [...current().closed.keys()].flatMap((path) => {
      const section = prompt.findSection(path);
      return section ? keys.flatMap((key) => pathsTo(section, path, key) ?? []) : [];
    });
    return [...new Set([...chains, ...keys])];
  }

  /** One that is switched off is as good as not there. */
  async #isShown(key: string, { session }: ToolContext): Promise<boolean> {
    return this.#ground.sight.textOf(key, session).then(
      () => true,
      () => false,
    );
  }

  #choices(): string {
    const closed = [...this.#ground.current().closed.keys()];
    if (closed.length === 0) return 'No section is closed.';
    const shown = closed.slice(0, 30).join(', ');
    return `Closed sections: ${shown}${closed.length > 30 ? ', …' : ''}.`;
  }
}

/** The paths from a section down to one within it; keys may hold dots, so the tree is walked and no path is split. */
function pathsTo(section: Section, path: string, wanted: string): readonly string[] | undefined {
  if (path === wanted) return [path];
  for (const child of section.children) {
    const below = pathsTo(child, `${path}.${child.key}`, wanted);
    if (below) return [path, ...below];
  }
  return undefined;
}

function offersTools({ mayOfferTools, children }: Section): boolean {
  return mayOfferTools || children.some(offersTools);
}

function failure(text: string): ToolReply {
  return { content: [{ type: 'text', text }], isError: true };
}

function quoted(keys: readonly string[]): string {
  return keys.map((key) => `'${key.slice(0, wholeCharacters(key, 100))}'`).join(', ');
}
