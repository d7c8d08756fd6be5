import type { Trust } from '../call/tool-ref.ts';
import { McpError } from '../errors.ts';
import { IsolationConfig } from '../isolation/isolation-config.ts';
import type { IsolationMode } from '../isolation/isolation-mode.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { requireTextList, requireTextMap } from './declared-texts.ts';
import type { InProcessServer } from './in-process-server.ts';
import { requireServerName } from './server-name.ts';
import type { OAuthSettings, ServerTransport } from './server-transport.ts';

/** Where a server was declared, strongest first. */
export type Scope = 'managed' | 'local' | 'project' | 'user' | 'claudeai';

/** Who owns the process: the agent SDK, or us with the whole call pipeline. */
export type ServerMode = 'passthrough' | 'bridged';

/** Everything that can be said about a server; all but name and transport has a default. */
export interface McpServerFields {
  readonly name: string;
  readonly transport: ServerTransport;
  /** What the name was in the file it was imported from, if it had to be changed. */
  readonly displayName?: string;
  readonly description?: string;
  readonly toolPrefix?: string;
  readonly enabledTools?: readonly string[];
  readonly disabledTools?: readonly string[];
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Policies, or names of those declared beside the server. */
  readonly policies?: readonly (ToolPolicy | string)[];
  readonly trust?: Trust;
  readonly mode?: ServerMode;
  readonly trackInvocations?: boolean;
  readonly pin?: boolean | readonly string[];
  readonly eager?: boolean;
  /** What it may touch; a server that says nothing gets what its hub says. */
  readonly isolation?: IsolationConfig | IsolationMode;
  readonly sampling?: boolean;
  readonly elicitation?: boolean;
  readonly scope?: Scope;
  /** False declares a server that starts switched off. */
  readonly enabled?: boolean;
}

type Changes = Partial<McpServerFields>;

const DEFAULT_TIMEOUT_MS = 30_000;

/** A declared MCP server: an immutable value that nothing has connected to yet. */
export class McpServer {
  readonly name: string;
  readonly transport: ServerTransport;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly toolPrefix: string | undefined;
  readonly enabledTools: readonly string[] | undefined;
  readonly disabledTools: readonly string[];
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly policies: readonly (ToolPolicy | string)[];
  readonly trust: Trust;
  readonly mode: ServerMode | undefined;
  readonly trackInvocations: boolean;
  readonly pin: boolean | readonly string[];
  readonly eager: boolean;
  /** `off` even where the hub has an isolation for all. */
  readonly isolation: IsolationConfig | 'off' | undefined;
  readonly sampling: boolean;
  readonly elicitation: boolean;
  readonly scope: Scope;
  readonly enabled: boolean;

  constructor(fields: McpServerFields) {
    requireServerName(fields.name);
    this.name = fields.name;
    this.transport = freezeTransport(fields.transport);
    this.displayName = fields.displayName;
    this.description = fields.description;
    this.toolPrefix = fields.toolPrefix;
    this.enabledTools = fields.enabledTools && Object.freeze([...fields.enabledTools]);
    this.disabledTools = Object.freeze([...(fields.disabledTools ?? [])]);
    this.timeoutMs = requireDuration('timeoutMs', fields.timeoutMs);
    this.connectTimeoutMs = requireDuration('connectTimeoutMs', fields.connectTimeoutMs);
    this.policies = Object.freeze([...(fields.policies ?? [])]);
    this.trust = fields.trust ?? 'untrusted';
    this.mode = fields.mode;
    this.trackInvocations = fields.trackInvocations ?? true;
    this.pin = typeof fields.pin === 'object' ? Object.freeze([...fields.pin]) : (fields.pin ?? false);
    this.eager = fields.eager ?? false;
    this.isolation = toIsolation(fields.isolation);
    this.sampling = fields.sampling ?? false;
    this.elicitation = fields.elicitation ?? false;
    this.scope = fields.scope ?? 'local';
    this.enabled = fields.enabled ?? true;
    Object.freeze(this);
  }

  /** A server started as a child process. */
  static stdio(name: string, command: string, args: readonly string[] = [], options: StdioOptions = {}): McpServer {
    const { env = {}, cwd, ...rest } = options;
    return new McpServer({
      ...rest,
      name,
      transport: { kind: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }) },
    });
  }

  /** A server published on npm, started with `npx -y`. */
  static npm(name: string, packageName: string, args: readonly string[] = [], options: StdioOptions = {}): McpServer {
    const description = options.description ?? `MCP server: ${packageName}`;
    requireTextList('args', args);
    return McpServer.stdio(name, 'npx', ['-y', packageName, ...args], { ...options, description });
  }

  /** A server published as a Python package, started with `uvx`. */
  static uvx(name: string, packageName: string, args: readonly string[] = [], options: StdioOptions = {}): McpServer {
    const description = options.description ?? `MCP server: ${packageName}`;
    requireTextList('args', args);
    return McpServer.stdio(name, 'uvx', [packageName, ...args], { ...options, description });
  }

  /** A Streamable HTTP server. */
  static http(name: string, url: string, options: RemoteOptions = {}): McpServer {
    return new McpServer(remoteFields({ kind: 'http', name, url, options }));
  }

  /** A server of the older HTTP with Server-Sent Events transport. */
  static sse(name: string, url: string, options: RemoteOptions = {}): McpServer {
    return new McpServer(remoteFields({ kind: 'sse', name, url, options }));
  }

  /** A server in this process: an SDK server object, anything with `connect` and `close`, or a maker of them. */
  static sdk(
    name: string,
    instance?: InProcessServer | (() => InProcessServer),
    options: CommonOptions = {},
  ): McpServer {
    return new McpServer({ ...options, name, transport: { kind: 'sdk', name, ...(instance && { instance }) } });
  }

  /** A connector of claude.ai, by its url and id. */
  static claudeAiProxy(name: string, url: string, id: string, options: CommonOptions = {}): McpServer {
    return new McpServer({ scope: 'claudeai', ...options, name, transport: { kind: 'claudeai-proxy', url, id } });
  }

  /** The same server with some fields replaced. */
  with(changes: Changes): McpServer {
    return new McpServer({ ...this.#fields(), ...changes });
  }

  /** More policies on the calls of this server's tools, as objects or by their names in the config. */
  withPolicies(...policies: readonly (ToolPolicy | string)[]): McpServer {
    return this.with({ policies: [...this.policies, ...policies] });
  }

  /** More environment for a stdio server; the new values win. */
  withEnv(env: Readonly<Record<string, string>>): McpServer {
    if (this.transport.kind !== 'stdio') throw invalid(`${this.name}: only a stdio server has an environment`);
    return this.with({ transport: { ...this.transport, env: { ...this.transport.env, ...env } } });
  }

  /** More headers for a remote server; the new values win. */
  withHeaders(headers: Readonly<Record<string, string>>): McpServer {
    if (!('headers' in this.transport)) throw invalid(`${this.name}: only an http or sse server has headers`);
    return this.with({ transport: { ...this.transport, headers: { ...this.transport.headers, ...headers } } });
  }

  /** Which of the server's own tools are offered: an allow list, then a block list. */
  withTools(filter: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] }): McpServer {
    return this.with({
      ...(filter.enabled && { enabledTools: filter.enabled }),
      ...(filter.disabled && { disabledTools: filter.disabled }),
    });
  }

  withTimeout(timeoutMs: number): McpServer {
    return this.with({ timeoutMs });
  }

  /** The fields that were given or defaulted, without the undefined ones. */
  #fields(): McpServerFields {
    const set = Object.entries(this).filter(([, value]) => value !== undefined);
    return Object.fromEntries(set) as unknown as McpServerFields;
  }
}

/** Everything but how a server is reached. */
export type CommonOptions = Omit<McpServerFields, 'name' | 'transport'>;

export interface StdioOptions extends CommonOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface RemoteOptions extends CommonOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

function remoteFields(given: {
  readonly kind: 'http' | 'sse';
  readonly name: string;
  readonly url: string;
  readonly options: RemoteOptions;
}): McpServerFields {
  const { headers = {}, oauth, ...rest } = given.options;
  const transport = { kind: given.kind, url: given.url, headers, ...(oauth && { oauth }) };
  return { ...rest, name: given.name, transport };
}

function toIsolation(given: McpServerFields['isolation']): McpServer['isolation'] {
  if (given === 'required' || given === 'preferred') return IsolationConfig.ofMode(given);
  if (given === undefined || given === 'off' || given instanceof IsolationConfig) return given;
  throw invalid("isolation must be 'required', 'preferred', 'off' or an IsolationConfig");
}

function freezeTransport(transport: ServerTransport): ServerTransport {
  switch (transport.kind) {
    case 'stdio': {
      if (!transport.command) throw invalid("stdio transport requires 'command'");
      const { args, env } = transport;
      requireTextList('args', args);
      requireTextMap('env', env);
      return Object.freeze({ ...transport, args: Object.freeze([...args]), env: Object.freeze({ ...env }) });
    }
    case 'http':
    case 'sse': {
      if (!transport.url) throw invalid(`${transport.kind} transport requires 'url'`);
      const { oauth } = transport;
      requireTextMap('headers', transport.headers);
      return Object.freeze({
        ...transport,
        headers: Object.freeze({ ...transport.headers }),
        ...(oauth && { oauth: freezeOAuth(oauth) }),
      });
    }
    case 'sdk':
      if (!transport.name) throw invalid("sdk transport requires 'name'");
      return Object.freeze({ ...transport });
    case 'claudeai-proxy':
      if (!transport.url) throw invalid("claudeai-proxy transport requires 'url'");
      if (!transport.id) throw invalid("claudeai-proxy transport requires 'id'");
      return Object.freeze({ ...transport });
    default:
      throw invalid(`unknown transport '${String((transport as { kind?: unknown }).kind)}'`);
  }
}

function freezeOAuth(oauth: OAuthSettings): OAuthSettings {
  const { scopes } = oauth;
  return Object.freeze({ ...oauth, ...(scopes && { scopes: Object.freeze([...scopes]) }) });
}

function requireDuration(field: string, value: number | undefined): number {
  if (value === undefined) return DEFAULT_TIMEOUT_MS;
  if (Number.isFinite(value) && value > 0) return value;
  throw invalid(`${field} must be a positive number of milliseconds, not ${String(value)}`);
}

function invalid(message: string): McpError {
  return new McpError('SERVER_INVALID', message);
}
