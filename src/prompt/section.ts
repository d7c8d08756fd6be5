import type { NativeTool } from '../bridge/native-tool.ts';
import type { Tool } from '../bridge/tool.ts';
import type { McpServer } from '../config/server.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import { choose } from './choice.ts';
import type { AnyChoice, Choice, ChoiceContext } from './choice.ts';
import type { AnyParams, BoundParams, ParamsKind } from './params.ts';
import { PromptValidationError } from './prompt-errors.ts';
import { requireServers } from './section-servers.ts';
import { normalKey } from './section-key.ts';
import { compileTemplate } from './template-text.ts';
import type { TemplateText } from './template-text.ts';
import type { SectionVisibility } from './visibility.ts';

/** What a section may offer: a function of ours, or a handle on a tool of a connected server. */
export type SectionTool = NativeTool | Tool;

/** Everything that can be said about a section; all but title and key may be left out. */
export interface SectionOptions<Fields extends object = object> {
  readonly title: string;
  /** Names the section among its siblings; small letters, digits, dots, dashes and underscores. */
  readonly key: string;
  /** The kind of parameters that the section's texts and functions use. */
  readonly params?: ParamsKind<Fields>;
  /** Used where nothing is bound; tells the kind of parameters too. */
  readonly defaultParams?: BoundParams<Fields>;
  readonly children?: readonly Section[];
  /** False leaves the section out, with its whole subtree. */
  readonly enabled?: Choice<NoInfer<Fields>, boolean>;
  readonly tools?: readonly SectionTool[];
  /** Servers, or a function that makes them of the section's parameters. */
  readonly mcps?: readonly McpServer[] | Choice<NoInfer<Fields>, readonly McpServer[]>;
  /** Decide on the tools and servers of this section and of those within it. */
  readonly policies?: readonly ToolPolicy[];
  readonly resources?: ResourceRegistry;
  /** Whether a stored text may take the place of the section's own; true unless said. */
  readonly acceptsOverrides?: boolean;
  /** What stands in the section's place while it is closed. */
  readonly summary?: string;
  /** `full` unless said. */
  readonly visibility?: SectionVisibility | Choice<NoInfer<Fields>, SectionVisibility>;
  /** Tools that stay offered whatever disclosure would hide: all, or these. */
  readonly pin?: boolean | readonly string[];
}

/** Where a section stands in a prompt, for whoever renders its body. */
export interface BodyContext<Fields extends object = object> extends ChoiceContext<Fields> {
  /** The keys from the root to the section, joined by dots. */
  readonly path: string;
  /** 0 for a section of the template itself. */
  readonly depth: number;
  readonly number: string;
}

/** A part of a prompt: its text, and the tools, servers and policies that belong to it. */
export abstract class Section<Fields extends object = object> {
  readonly title: string;
  readonly key: string;
  readonly params: AnyParams | undefined;
  readonly defaultParams: BoundParams | undefined;
  readonly children: readonly Section[];
  readonly acceptsOverrides: boolean;
  readonly summary: string | undefined;
  /** The summary, read. */
  readonly summaryText: TemplateText | undefined;
  readonly pin: boolean | readonly string[];
  /** Whether its author chose a visibility, which nothing automatic then changes. */
  readonly choosesVisibility: boolean;
  /** The tools that were given; what `tools()` says may change, this does not. */
  readonly declaredTools: readonly SectionTool[];
  /** The servers that were given; undefined where a function makes them. */
  readonly declaredMcps: readonly McpServer[] | undefined;
  readonly #enabled: AnyChoice<boolean> | undefined;
  readonly #visibility: SectionVisibility | AnyChoice<SectionVisibility>;
  readonly #mcps: readonly McpServer[] | AnyChoice<readonly McpServer[]>;
  readonly #policies: readonly ToolPolicy[];
  readonly #resources: ResourceRegistry;
  #cleaned: Promise<void> | undefined;

  constructor(options: SectionOptions<Fields>) {
    this.key = normalKey(options.key, 'section key');
    this.title = requireTitle(options.title, this.key);
    this.params = options.params ?? options.defaultParams?.params;
    this.defaultParams = options.defaultParams;
    if (options.defaultParams && options.defaultParams.params !== this.params) throw otherParams(this.key);
    this.children = frozenCopy(options.children);
    this.acceptsOverrides = options.acceptsOverrides ?? true;
    this.summary = options.summary;
    this.summaryText = options.summary === undefined ? undefined : compileTemplate(options.summary);
    this.pin = options.pin ?? false;
    this.choosesVisibility = options.visibility !== undefined;
    this.declaredTools = requireTools(options.tools ?? [], this.key);
    this.#enabled = options.enabled;
    this.#visibility = options.visibility ?? 'full';
    const { mcps = [] } = options;
    this.#mcps = typeof mcps === 'function' ? mcps : requireServers(mcps, this.key);
    this.declaredMcps = typeof this.#mcps === 'function' ? undefined : this.#mcps;
    this.#policies = frozenCopy(options.policies);
    this.#resources = options.resources ?? ResourceRegistry.of();
  }

  /** The text under the section's heading, when it is open. */
  abstract renderBody(context: BodyContext<Fields>): string | Promise<string>;

  /** The same section once more, with clones of the children; a kind of section may take changes. */
  abstract clone(): Section<Fields>;

  isEnabled(context: ChoiceContext<Fields>): boolean {
    return this.#enabled === undefined || choose(this.#enabled, context);
  }

  /** What the author chose, before anybody opened or closed the section. */
  visibilityFor(context: ChoiceContext<Fields>): SectionVisibility {
    return typeof this.#visibility === 'string' ? this.#visibility : choose(this.#visibility, context);
  }

  /** The tools it offers now. */
  tools(): readonly SectionTool[] {
    return this.declaredTools;
  }

  /** Whether it can have tools, known without asking for them. */
  get mayOfferTools(): boolean {
    return this.declaredTools.length > 0 || typeof this.#mcps === 'function' || this.#mcps.length > 0;
  }

  /** The servers it declares, in order; where they depend on parameters, for those or the section's own defaults. */
  mcps(context?: ChoiceContext<Fields>): readonly McpServer[] {
    if (typeof this.#mcps !== 'function') return this.#mcps;
    return requireServers(choose(this.#mcps, context ?? this.#defaultContext()), context?.path ?? this.key);
  }

  policies(): readonly ToolPolicy[] {
    return this.#policies;
  }

  /** What its tools find in their context. */
  resources(): ResourceRegistry {
    return this.#resources;
  }

  /** The fields that its body names; each must be a field of its parameters. */
  placeholders(): ReadonlySet<string> {
    return NO_PLACEHOLDERS;
  }

  /** The text that a stored one may replace; undefined where there is none. */
  bodyTemplate(): string | undefined {
    return undefined;
  }

  /** What its body, or a stored text in its place, may name. */
  bodyValues({ params }: BodyContext<Fields>): object {
    return params;
  }

  /** What a kind of section has to do before it can be shown open; rendering itself never starts anything. */
  prepare(_options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return Promise.resolve();
  }

  /** Whether it can be shown open as it is. */
  get isReady(): boolean {
    return true;
  }

  /** Undoes `prepare`: the section was closed again before anybody used it. */
  rest(): Promise<void> {
    return Promise.resolve();
  }

  /** Tells whenever `tools()` has changed, where it can; the returned function ends that. */
  onToolsChanged(_listener: () => void): () => void {
    return () => undefined;
  }

  /** Lets go of whatever the section and those within it hold; a second call does nothing more. */
  cleanup(): Promise<void> {
    this.#cleaned ??= this.#cleanUp();
    return this.#cleaned;
  }

  /** What a kind of section that holds something does to let go of it. */
  protected release(): void | Promise<void> {
    return undefined;
  }

  async #cleanUp(): Promise<void> {
    const ended = await Promise.allSettled([this.#release(), ...this.children.map((child) => child.cleanup())]);
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #release(): Promise<void> {
    await this.release();
  }

  #defaultContext(): ChoiceContext<Fields> {
    const values = this.defaultParams?.values ?? this.params?.defaultValues();
    if (this.params && !values) {
      throw new PromptValidationError(`its servers depend on params '${this.params.name}'; give them`, {
        section: this.key,
      });
    }
    return { params: (values ?? {}) as Fields, session: undefined };
  }
}

/** Handles of a caller know how to run, tools of ours how to execute. */
function requireTools(tools: readonly SectionTool[], section: string): readonly SectionTool[] {
  for (const tool of tools) {
    if (typeof tool?.name === 'string' && ('execute' in tool || 'run' in tool)) continue;
    throw new PromptValidationError('its tools must come from defineTool or from a caller', { section });
  }
  return frozenCopy(tools);
}

/** One empty list serves all sections: a rendering looks at each, and a thousand empty ones are a thousand places in memory. */
function frozenCopy<Item>(items: readonly Item[] | undefined): readonly Item[] {
  return items && items.length > 0 ? Object.freeze([...items]) : NOTHING;
}

const NOTHING: readonly never[] = Object.freeze([]);

const NO_PLACEHOLDERS: ReadonlySet<string> = new Set();

function requireTitle(title: string, section: string): string {
  const trimmed = title.trim();
  if (trimmed !== '' && !/[\r\n]/.test(trimmed)) return trimmed;
  throw new PromptValidationError('its title must be one line of text', { section });
}

function otherParams(section: string): PromptValidationError {
  return new PromptValidationError('defaultParams are of another kind than params', { section });
}
