import { Caller } from '../bridge/caller.ts';
import { McpConnectionPool } from '../bridge/mcp-connection-pool.ts';
import type { McpServer } from '../config/server.ts';
import type { Hub, WaitOptions } from '../hub/hub.ts';
import { LocalHub } from '../hub/local-hub.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';
import { bindInstance } from '../session/resource-binding.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import type { Session } from '../session/session.ts';
import { INVENTORY_NAMES, INVENTORY_TEMPLATE, inventoryOf } from './mcp-inventory.ts';
import { requireIntegrations } from './mcp-integration-section-options.ts';
import type { McpIntegrationOptions } from './mcp-integration-section-options.ts';
import { PromptRenderError } from './prompt-errors.ts';
import { Section } from './section.ts';
import type { BodyContext, SectionTool } from './section.ts';
import { ServerGroup } from './server-group.ts';
import { compileTemplate } from './template-text.ts';
import type { TemplateText } from './template-text.ts';

/** What may be changed in a clone. */
export type McpIntegrationChanges<Fields extends object> = Partial<Omit<McpIntegrationOptions<Fields>, 'template'>> & {
  readonly template?: string;
};

/** A section that holds connections to servers and offers their tools, each call under control; close it when done. */
export class McpIntegrationSection<Fields extends object = object, Template extends string = string>
  extends Section<Fields>
  implements AsyncDisposable
{
  readonly servers: readonly McpServer[];
  readonly session: Session;
  /** The servers as the section sees them, under the names its tools have; empty before it was connected. */
  readonly hub: Hub;
  /** Done when the connections of `connectOnInit` are; without that there is nothing to wait for. */
  readonly ready: Promise<void>;
  /** The section's own connections; tools find those of all sections of the prompt among their resources. */
  readonly pool: McpConnectionPool;
  readonly #options: McpIntegrationOptions<Fields, Template>;
  readonly #text: TemplateText;
  readonly #group: ServerGroup;
  readonly #caller: Caller;
  readonly #resources: ResourceRegistry;

  constructor(options: McpIntegrationOptions<Fields, Template>) {
    const { title = 'MCP Integrations', key = 'mcp.integrations', acceptsOverrides = false } = options;
    super({ ...options, title, key, acceptsOverrides });
    const { servers, session, hub, onFailure = 'throw', template = INVENTORY_TEMPLATE } = options;
    this.#options = options;
    this.#text = compileTemplate(template);
    this.servers = requireIntegrations(servers, this.key);
    this.session = session;
    const view = { naming: '{prefix}_{tool}', principal: session.principal } as const;
    this.hub = hub ? hub.view(view) : new LocalHub(view);
    this.#group = new ServerGroup({ hub: this.hub, servers: this.servers, onFailure });
    this.#caller = new Caller({
      ...options.calls,
      hub: this.hub,
      session,
      sectionPolicies: this.#boundPolicies(),
      resultCharacters: Number.POSITIVE_INFINITY,
    });
    this.pool = new McpConnectionPool(this.hub);
    this.#resources = ResourceRegistry.of(bindInstance(McpConnectionPool, this.pool)).merge(super.resources());
    this.ready = options.connectOnInit ? this.connect() : Promise.resolve();
    // Nobody has to wait for it: what failed is told by `tools()` too.
    this.ready.catch(() => undefined);
  }

  /** A section that is connected, for `await using`; one that cannot be leaves nothing behind. */
  static async open<Fields extends object = object, Template extends string = string>(
    options: McpIntegrationOptions<Fields, Template>,
  ): Promise<McpIntegrationSection<Fields, Template>> {
    const section = new McpIntegrationSection(options);
    try {
      await section.connect();
    } catch (error) {
      await section.cleanup();
      throw error;
    }
    return section;
  }

  /** Connects what is not connected; throws McpConnectionError, and then holds no connection at all. */
  connect(options: WaitOptions = {}): Promise<void> {
    return this.#group.connect(options);
  }

  /** Opening the section starts its servers. */
  override prepare(options: WaitOptions = {}): Promise<void> {
    return this.connect(options);
  }

  override get isReady(): boolean {
    return this.#group.isOpen;
  }

  override rest(): Promise<void> {
    return this.disconnect();
  }

  /** Lets go of all servers; their processes end unless somebody else uses them. */
  disconnect(): Promise<void> {
    return this.#group.disconnect();
  }

  /** True only if all servers are connected. */
  get connected(): boolean {
    return this.#group.isConnected;
  }

  /** Why servers were left out, by their names; empty unless `onFailure` is `skip`. */
  get skipped(): ReadonlyMap<string, unknown> {
    return this.#group.skipped;
  }

  /** The section's own tools and those of the servers as they are now; throws McpConnectionError before `connect`. */
  override tools(): readonly SectionTool[] {
    this.#group.requireOpen();
    return [...this.declaredTools, ...this.#caller.tools()];
  }

  override onToolsChanged(listener: () => void): () => void {
    return this.hub.on('tools-changed', listener);
  }

  override get mayOfferTools(): boolean {
    return this.servers.length > 0 || super.mayOfferTools;
  }

  override resources(): ResourceRegistry {
    return this.#resources;
  }

  override renderBody(context: BodyContext<Fields>): string {
    return this.#text.render(this.bodyValues(context), (placeholder) => {
      throw new PromptRenderError(`no value for $${placeholder}`, { section: context.path, placeholder });
    });
  }

  /** Its params, and over them what it knows of its servers. */
  override bodyValues({ params, depth }: BodyContext<Fields>): object {
    const connected = this.#group.requireOpen();
    const offered = this.#caller.tools();
    const listed = connected.map(({ name }) => ({ name, tools: offered.filter(({ server }) => server === name) }));
    return { ...params, ...inventoryOf(listed, depth) };
  }

  /** The fields of its params; the section knows the rest itself. */
  override placeholders(): ReadonlySet<string> {
    const own: readonly string[] = INVENTORY_NAMES;
    return new Set([...this.#text.names].filter((name) => !own.includes(name)));
  }

  override bodyTemplate(): string {
    return this.#text.source;
  }

  /** With connections of its own, unless a hub was given to share them. */
  override clone(changes: McpIntegrationChanges<Fields> = {}): McpIntegrationSection<Fields> {
    const children = changes.children ?? this.children.map((child) => child.clone());
    return new McpIntegrationSection<Fields>({ ...this.#options, ...changes, children });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cleanup();
  }

  protected override async release(): Promise<void> {
    await this.#group.disconnect();
    await this.hub.close();
  }

  #boundPolicies(): readonly BoundPolicy[] {
    const scope = { kind: 'section', section: this.key, covers: () => true } as const;
    return this.policies().map((policy) => ({ policy, scope }));
  }
}
