import { silentLogger } from '../logger.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';
import { overriddenBody, overriddenTools } from './apply-override.ts';
import { closedNote } from './closed-section.ts';
import type { ClosedSection } from './closed-section.ts';
import { describeClosed } from './describe-closed.ts';
import { NodeContext, toPromptError } from './node-context.ts';
import type { RenderGround } from './node-context.ts';
import { PromptRenderError, PromptValidationError } from './prompt-errors.ts';
import type { PromptOverride } from './prompt-overrides.ts';
import type { SectionNode } from './prompt-plan.ts';
import type { RenderOptions } from './render-options.ts';
import type { RenderedContents } from './rendered-prompt.ts';
import type { SectionTool } from './section.ts';
import { ServerCollection } from './server-collection.ts';
import { requireDistinctTools, ToolOwners } from './tool-owners.ts';
import type { OpenSection } from './tool-owners.ts';
import type { SectionVisibility } from './visibility.ts';

/** What is to be rendered: a whole prompt, or one section of it. */
export interface Rendering {
  readonly ground: RenderGround;
  readonly options: RenderOptions;
  /** From the first place in traversal order up to the second. */
  readonly range: readonly [number, number];
  /** Visibilities above the author's choice. */
  readonly visibilities: ReadonlyMap<string, SectionVisibility>;
  readonly override: PromptOverride | undefined;
  /** The template's own tools; none where one section is rendered. */
  readonly tools: readonly SectionTool[];
}

/** What a walk over the sections has found. */
export type Found = Pick<RenderedContents, 'text' | 'tools' | 'mcps' | 'policies' | 'closedSections'>;

/** Walks the sections once, depth first: the one place that decides what of a template an agent sees. */
export class PromptRenderer {
  readonly #rendering: Rendering;
  readonly #blocks: string[] = [];
  readonly #tools: SectionTool[];
  readonly #open: OpenSection[] = [];
  readonly #policies: BoundPolicy[] = [];
  readonly #closed: ClosedSection[] = [];
  readonly #servers: ServerCollection;
  readonly #owners: ToolOwners;
  #areToolsDeclared = true;
  #next: number;
  // What the section at hand was asked for last.
  #asked = '';

  constructor(rendering: Rendering) {
    const { ground, options, range, tools } = rendering;
    this.#rendering = rendering;
    this.#next = range[0];
    this.#tools = [...tools];
    this.#servers = new ServerCollection({
      logger: options.logger ?? silentLogger,
      strict: options.strict ?? false,
      areDeclaredSettled: ground.plan.hasSettledServers,
    });
    this.#owners = new ToolOwners(this.#open);
  }

  async render(): Promise<Found> {
    const { override } = this.#rendering;
    for (let later = this.#walk(); later; later = this.#walk()) await later;
    this.#addClosedList();
    this.#requireDistinctTools();
    return {
      text: this.#blocks.join('\n\n'),
      tools: override ? overriddenTools(override, this.#tools) : this.#tools,
      mcps: this.#servers.servers,
      policies: this.#policies,
      closedSections: this.#closed,
    };
  }

  /** Goes on until a body has to be waited for: most are there at once, and there may be thousands. */
  #walk(): Promise<void> | undefined {
    const { ground, range } = this.#rendering;
    while (this.#next < range[1]) {
      const node = ground.plan.nodes[this.#next];
      if (!node) return undefined;
      const later = this.#visit(node, new NodeContext(node, ground));
      if (later) return later;
    }
    return undefined;
  }

  /** Adds a section, or passes over it and its subtree; whatever an author's function throws says where and what it was. */
  #visit(node: SectionNode, context: NodeContext): Promise<void> | undefined {
    try {
      const state = this.#stateOf(node, context);
      this.#next = state === 'full' ? node.index + 1 : node.end;
      if (state === 'full') return this.#addOpen(node, context);
      if (state === 'summary') this.#addClosed(node, context);
      return undefined;
    } catch (error) {
      throw toPromptError(node.path, this.#asked, error);
    }
  }

  #stateOf({ path, section }: SectionNode, context: NodeContext): SectionVisibility | 'disabled' {
    this.#asked = 'enabled';
    const isEnabled = section.isEnabled(context);
    if (typeof isEnabled !== 'boolean') throw badAnswer(path, 'enabled', 'true or false');
    if (!isEnabled) return 'disabled';
    this.#asked = 'visibility';
    const visibility = this.#rendering.visibilities.get(path) ?? section.visibilityFor(context);
    if (visibility === 'full' || visibility === 'summary') return visibility;
    throw badAnswer(path, 'visibility', "'full' or 'summary'");
  }

  #addOpen(node: SectionNode, context: NodeContext): Promise<void> | undefined {
    const { section } = node;
    this.#asked = 'tools';
    const tools = section.tools();
    this.#asked = 'mcps';
    const mcps = section.mcps(context);
    if (tools !== section.declaredTools) this.#areToolsDeclared = false;
    appendTo(this.#tools, tools);
    this.#servers.add(mcps, node);
    this.#open.push({ node, tools, mcps });
    const policies = section.policies();
    if (policies.length > 0) {
      const scope = this.#owners.scopeOf(node);
      for (const policy of policies) this.#policies.push({ policy, scope });
    }
    const body = this.#bodyOf(node, context);
    return typeof body === 'string' ? this.#addText(node, body) : this.#addLater(node, body);
  }

  #bodyOf({ section }: SectionNode, context: NodeContext): string | Promise<string> {
    this.#asked = 'rendering';
    const { override } = this.#rendering;
    const stored = override && overriddenBody(override, section, context);
    return stored ?? section.renderBody(context);
  }

  /** Heading and body are blocks of their own, since a blank line stands between them as between sections. */
  #addText({ heading }: SectionNode, body: string): undefined {
    this.#blocks.push(heading);
    if (body !== '') this.#blocks.push(body);
  }

  async #addLater(node: SectionNode, body: Promise<string>): Promise<void> {
    try {
      this.#addText(node, await body);
    } catch (error) {
      throw toPromptError(node.path, 'rendering', error);
    }
  }

  #addClosed(node: SectionNode, context: NodeContext): void {
    const { ground, options } = this.#rendering;
    this.#asked = 'summary';
    const closed = describeClosed(node, context, ground);
    this.#closed.push(closed);
    if (closed.summary === undefined) {
      if (options.closed?.list) return;
      throw new PromptValidationError('it is closed and has no summary; give it one', { section: node.path });
    }
    const note = (options.closed?.note ?? closedNote)(closed);
    this.#addText(node, [closed.summary, note].filter((text) => text !== '').join('\n\n'));
  }

  #addClosedList(): void {
    const unsummed = this.#closed.filter(({ summary }) => summary === undefined);
    const text = unsummed.length === 0 ? '' : (this.#rendering.options.closed?.list?.(unsummed) ?? '');
    if (text !== '') this.#blocks.push(text);
  }

  /** What was declared was compared when the template was made; what a section found since then was not. */
  #requireDistinctTools(): void {
    if (this.#areToolsDeclared) return;
    const sections = this.#open.map(({ node, tools }) => ({ path: node.path, tools }));
    requireDistinctTools(this.#rendering.tools, sections);
  }
}

/** Not by spreading, which a long list overflows. */
function appendTo<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

function badAnswer(section: string, what: string, expected: string): PromptRenderError {
  return new PromptRenderError(`${what} must give ${expected}, and not a promise of it`, { section });
}
