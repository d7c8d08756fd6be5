import { isSameServer } from '../config/same-server.ts';
import type { McpServer } from '../config/server.ts';
import type { Logger } from '../logger.ts';
import { PromptValidationError } from './prompt-errors.ts';
import type { SectionNode } from './prompt-plan.ts';
import { placeholdersInArgs } from './section-servers.ts';

export interface CollectionOptions {
  readonly logger: Logger;
  /** Refuses two different servers of one name. */
  readonly strict: boolean;
  /** Whether the declared servers of the template are known to have names of their own and plain args. */
  readonly areDeclaredSettled: boolean;
}

/** The servers of a rendering in the order they are met: of several with one name the first counts. */
export class ServerCollection {
  readonly #options: CollectionOptions;
  readonly #servers: McpServer[] = [];
  // Beside the servers, the nodes that declared them.
  readonly #nodes: SectionNode[] = [];
  // By name; made when there is something to compare.
  #places: Map<string, number> | undefined;

  constructor(options: CollectionOptions) {
    this.#options = options;
    if (!options.areDeclaredSettled) this.#places = new Map();
  }

  get servers(): readonly McpServer[] {
    return this.#servers;
  }

  add(servers: readonly McpServer[], node: SectionNode): void {
    if (!this.#places && servers === node.section.declaredMcps) {
      for (const server of servers) this.#keep(server, node);
      return;
    }
    const places = (this.#places ??= new Map(this.#servers.map(({ name }, place) => [name, place])));
    for (const server of servers) {
      const place = places.get(server.name);
      if (place !== undefined) {
        this.#compare(server, node, place);
        continue;
      }
      places.set(server.name, this.#servers.length);
      this.#keep(server, node);
      this.#warnOfArgs(server, node);
    }
  }

  #keep(server: McpServer, node: SectionNode): void {
    this.#servers.push(server);
    this.#nodes.push(node);
  }

  #compare(server: McpServer, { path }: SectionNode, place: number): void {
    const first = this.#servers[place];
    if (first && !isSameServer(first, server)) this.#refuse(server.name, path, this.#nodes[place]?.path ?? '');
  }

  #warnOfArgs(server: McpServer, { section, path }: SectionNode): void {
    const placeholders = placeholdersInArgs(server, section.params?.fields ?? NO_FIELDS);
    if (placeholders.length === 0) return;
    this.#options.logger.log('warn', LITERAL_ARGS, {
      event: LITERAL_ARGS,
      context: { mcp_name: server.name, placeholders, section: path },
      advice: 'args are not templates; make the server with a function of the params: mcps: (params) => […]',
    });
  }

  #refuse(name: string, section: string, first: string): void {
    if (this.#options.strict) {
      throw new PromptValidationError(`its server '${name}' is another one than that of section '${first}'`, {
        section,
      });
    }
    this.#options.logger.log('warn', DUPLICATE, { event: DUPLICATE, context: { mcp_name: name }, section, first });
  }
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const DUPLICATE = 'prompt.render.duplicate_mcp';
const LITERAL_ARGS = 'prompt.render.literal_args';
