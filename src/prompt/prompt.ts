import { silentLogger } from '../logger.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';
import type { ResourceRegistry } from '../session/resource-registry.ts';
import { discoverTools } from './discover-tools.ts';
import { NodeContext, requireBoolean, within } from './node-context.ts';
import type { RenderGround } from './node-context.ts';
import type { AnyParams, BoundParams } from './params.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import { PromptRenderError, PromptValidationError } from './prompt-errors.ts';
import type { PromptPlan, SectionNode } from './prompt-plan.ts';
import { estimateTokens } from './prompt-tokens.ts';
import type { RenderOptions } from './render-options.ts';
import { PromptRenderer } from './render-prompt.ts';
import type { Rendering } from './render-prompt.ts';
import { RenderedPrompt } from './rendered-prompt.ts';
import type { Section } from './section.ts';
import { entriesOf, overridesByPath } from './visibility.ts';

/** A template with what was bound to it; binding more makes another prompt. */
export class Prompt {
  readonly ns: string;
  readonly key: string;
  readonly name: string | undefined;
  /** What tools find in their context: the template's, over them those of sections, over them what was bound. */
  readonly resources: ResourceRegistry;
  readonly #plan: PromptPlan;
  readonly #bound: ReadonlyMap<AnyParams, BoundParams>;

  constructor(
    plan: PromptPlan,
    bound: ReadonlyMap<AnyParams, BoundParams> = new Map(),
    resources: ResourceRegistry = plan.resources,
  ) {
    this.ns = plan.ns;
    this.key = plan.key;
    this.name = plan.name;
    this.resources = resources;
    this.#plan = plan;
    this.#bound = bound;
  }

  /** The hashes of the template's texts and tools. */
  get descriptor(): PromptDescriptor {
    return this.#plan.descriptor();
  }

  /** The values that are bound, in the order of binding. */
  get params(): readonly BoundParams[] {
    return [...this.#bound.values()];
  }

  /** The same prompt with these values too; they take the place of earlier ones of their kind. */
  bind(...params: readonly BoundParams[]): Prompt {
    const given = new Set<AnyParams>();
    for (const { params: kind } of params) {
      if (given.has(kind)) throw new PromptValidationError(`'${kind.name}' is bound twice at once; bind it once`);
      if (!this.#plan.params.has(kind)) throw unusedParams(kind, this.#plan);
      given.add(kind);
    }
    const bound = new Map([...this.#bound, ...params.map((value): [AnyParams, BoundParams] => [value.params, value])]);
    return new Prompt(this.#plan, bound, this.resources);
  }

  /** The same prompt with these resources over those it has. */
  withResources(resources: ResourceRegistry): Prompt {
    return new Prompt(this.#plan, this.#bound, this.resources.merge(resources));
  }

  /** The section at a whole path, such as `guidance.tools`. */
  findSection(path: string): Section | undefined {
    return this.#plan.byPath.get(path)?.section;
  }

  /** The whole paths of all sections, in traversal order. */
  get paths(): readonly string[] {
    return this.#plan.nodes.map(({ path }) => path);
  }

  /** The prompt as an agent gets it; starts no server, unless tools are to be discovered. */
  async render(options: RenderOptions = {}): Promise<RenderedPrompt> {
    const { nodes, tools, policies } = this.#plan;
    const bound = policies.map((policy): BoundPolicy => ({ policy, scope: { kind: 'template' } }));
    return this.#render(options, { range: [0, nodes.length], tools }, bound);
  }

  /** One section alone, open, with what it brings; those within it are as they are. */
  async renderSection(path: string, options: RenderOptions = {}): Promise<RenderedPrompt> {
    const node = this.#requireNode(path);
    const disabled = this.#disabledAbove(node, this.#ground(options));
    if (disabled)
      throw new PromptRenderError(`cannot be shown: section '${disabled.path}' is disabled`, { section: path });
    const visibility = new Map([...entriesOf(options.visibility ?? {}), [path, 'full'] as const]);
    return this.#render({ ...options, visibility }, { range: [node.index, node.end], tools: [] }, []);
  }

  async #render(
    options: RenderOptions,
    part: Pick<Rendering, 'range' | 'tools'>,
    ofTemplate: readonly BoundPolicy[],
  ): Promise<RenderedPrompt> {
    const { overrides, overridesTag, session, visibility } = options;
    for (const [path] of entriesOf(visibility ?? {})) this.#requireNode(path);
    const found = await new PromptRenderer({
      ...part,
      options,
      ground: this.#ground(options),
      visibilities: overridesByPath(visibility, session),
      override: await overrides?.resolve(this.descriptor, overridesTag),
    }).render();
    return new RenderedPrompt({
      ...found,
      policies: [...found.policies, ...ofTemplate],
      mcpTools: await this.#discover(found, options),
      structuredOutput: this.#plan.structuredOutput,
      deadline: options.deadline,
      describe: () => this.#plan.descriptor(),
      countTokens: options.countTokens ?? estimateTokens,
    });
  }

  async #discover(found: Pick<RenderedPrompt, 'mcps'>, options: RenderOptions): Promise<RenderedPrompt['mcpTools']> {
    const { discoverMcpTools, hub, signal, logger = silentLogger } = options;
    if (!discoverMcpTools) return undefined;
    if (!hub) throw new PromptRenderError('discoverMcpTools needs a hub to connect the servers on');
    return discoverTools(found.mcps, { hub, signal, logger });
  }

  #ground({ session }: RenderOptions): RenderGround {
    return { plan: this.#plan, bound: this.#bound, session };
  }

  #disabledAbove(node: SectionNode, ground: RenderGround): SectionNode | undefined {
    for (
      let at: SectionNode | undefined = node;
      at;
      at = at.parent === undefined ? undefined : this.#plan.nodes[at.parent]
    ) {
      const { section, path } = at;
      const context = new NodeContext(at, ground);
      if (!within(path, 'enabled', () => requireBoolean(section.isEnabled(context), path))) return at;
    }
    return undefined;
  }

  #requireNode(path: string): SectionNode {
    const node = this.#plan.byPath.get(path);
    if (node) return node;
    throw new PromptValidationError(
      `no section has the path '${path}' (there are: ${this.paths.join(', ') || 'none'})`,
    );
  }
}

function unusedParams({ name }: AnyParams, { params }: PromptPlan): PromptValidationError {
  const used = [...params.keys()].map((kind) => kind.name).join(', ') || 'none';
  return new PromptValidationError(`no section takes params '${name}' (taken: ${used})`);
}
