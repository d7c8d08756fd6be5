import { definitionHash } from '../config/definition-hash.ts';
import { McpServer } from '../config/server.ts';
import { McpError } from '../errors.ts';
import type { Hub, WaitOptions } from '../hub/hub.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import type { ExternalToolBundle, ExternalToolSpec } from './external-tools.ts';

export interface McpToolBundleFields {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly toolSpecs?: readonly ExternalToolSpec[];
}

/** The tools of a stdio server, and how it is started; an immutable value. */
export class McpToolBundle implements ExternalToolBundle {
  readonly name: string;
  readonly toolSpecs: readonly ExternalToolSpec[];
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;

  constructor(fields: McpToolBundleFields) {
    this.name = fields.name;
    this.toolSpecs = Object.freeze([...(fields.toolSpecs ?? [])]);
    this.command = fields.command;
    this.args = Object.freeze([...(fields.args ?? [])]);
    this.env = Object.freeze({ ...fields.env });
    Object.freeze(this);
  }

  /** The tools of a server published on npm, started with `npx -y`. */
  static fromNpm(name: string, packageName: string, args: readonly string[] = []): McpToolBundle {
    return new McpToolBundle({ name, command: 'npx', args: ['-y', packageName, ...args] });
  }

  toServer(): McpServer {
    const { name, command, args, env } = this;
    return McpServer.stdio(name, command, args, { env });
  }

  /** Starts the server in the hub, where it stays declared, and gives the bundle with the tools it offers. */
  async discover(hub: Hub, options: WaitOptions = {}): Promise<McpToolBundle> {
    const server = this.toServer();
    const declared = hub.servers().find(({ name }) => name === this.name);
    if (declared && definitionHash(declared) !== definitionHash(server)) {
      const message = `the hub knows another server by the name '${this.name}'; give the bundle a name of its own`;
      throw new McpError('SERVER_INVALID', message, { server: this.name });
    }
    await hub.connect(this.name, declared ? undefined : server, options);
    const { name, command, args, env } = this;
    return new McpToolBundle({ name, command, args, env, toolSpecs: hub.tools(name).map(toExternalSpec) });
  }
}

/** A tool as its server names it. */
export function toExternalSpec({ tool, description, inputSchema }: ToolSpec): ExternalToolSpec {
  return { name: tool, description, inputSchema };
}
