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
}

/** The servers of a rendering in the order they are met: of several with one name the first counts. */
export class ServerCollection {
  readonly #options: CollectionOptions;
  readonly #byName = new Map<string, { readonly server: McpServer; readonly path: string }>();

  constructor(options: CollectionOptions) {
    this.#options = options;
  }

  get servers(): readonly McpServer[] {
    return [...this.#byName.values()].map(({ server }) => server);
  }

  add(servers: readonly McpServer[], node: SectionNode): void {
    for (const server of servers) {
      const first = this.#byName.get(server.name);
      if (!first) this.#keep(server, node);
      else if (!isSameServer(first.server, server)) this.#refuse(server.name, node.path, first.path);
    }
  }

  #keep(server: McpServer, { section, path }: SectionNode): void {
    this.#byName.set(server.name, { server, path });
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
