import { silentLogger } from '../logger.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';
import { overriddenBody, overriddenTools } from './apply-override.ts';
import { closedNote } from './closed-section.ts';
import type { ClosedSection } from './closed-section.ts';
import { describeClosed } from './describe-closed.ts';
import { NodeContext, toPromptError, within } from './node-context.ts';
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

  constructor(rendering: Rendering) {
    const { options, tools } = rendering;
    this.#rendering = rendering;
    this.#tools = [...tools];
    this.#servers = new ServerCollection({
      logger: options.logger ?? silentLogger,
      strict: options.strict ?? false,
    });
    this.#owners = new ToolOwners(this.#open);
  }

  async render(): Promise<Found> {
    const { ground, range, override } = this.#rendering;
    let [index] = range;
    while (index < range[1]) {
      const node = ground.plan.nodes[index];
      if (!node) break;
      const context = new NodeContext(node, ground);
      const state = this.#stateOf(node, context);
      if (state === 'full') {
        const later = this.#addOpen(node, context);
        if (later) await later;
      } else if (state === 'summary') {
        this.#addClosed(node, context);
      }
      index = state === 'full' ? index + 1 : node.end;
    }
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

  #stateOf(node: SectionNode, context: NodeContext): SectionVisibility | 'disabled' {
    const { path, section } = node;
    const isEnabled = within(path, 'enabled', () => section.isEnabled(context));
    if (typeof isEnabled !== 'boolean') throw badAnswer(path, 'enabled', 'true or false');
    if (!isEnabled) return 'disabled';
    const given = this.#rendering.visibilities.get(path);
    const visibility = given ?? within(path, 'visibility', () => section.visibilityFor(context));
    if (visibility === 'full' || visibility === 'summary') return visibility;
    throw badAnswer(path, 'visibility', "'full' or 'summary'");
  }

  /** Waits only for a body that is a promise: most are not, and there may be thousands. */
  #addOpen(node: SectionNode, context: NodeContext): Promise<void> | undefined {
    const { section, path } = node;
    const tools = within(path, 'tools', () => section.tools());
    const mcps = within(path, 'mcps', () => section.mcps(context));
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

  #bodyOf({ section, path }: SectionNode, context: NodeContext): string | Promise<string> {
    const { override } = this.#rendering;
    const stored = override && overriddenBody(override, context);
    return stored ?? within(path, 'rendering', () => section.renderBody(context));
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
