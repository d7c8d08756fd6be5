import type { McpServer, Scope } from '../config/server.ts';
import type { TransportKind } from '../config/server-transport.ts';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionPhase, ConnectionState } from '../connection/connection-state.ts';
import type { Era, ServerInfo } from '../connection/protocol-client.ts';
import { maskedTransport } from '../config/masked-config.ts';
import type { MaskedTransport } from '../config/masked-config.ts';
import { policyNames } from '../config/server-policies.ts';
import type { Confinement } from '../isolation/confinement.ts';
import type { IsolationMode } from '../isolation/isolation-mode.ts';
import { isOffered } from '../tools/tool-filter.ts';
import type { QuarantinedSpec } from './registry.ts';

/** What a server is doing, in full. */
export type ServerPhase = ConnectionPhase | 'disabled';

/** What a server is doing, in the five words of the agent SDKs. */
export type StatusWord = 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';

/** Everything a person or a program may want to know about one server; holds no secret. */
export interface ServerStatus {
  readonly name: string;
  readonly status: StatusWord;
  readonly phase: ServerPhase;
  readonly transport: TransportKind;
  readonly scope: Scope;
  readonly era?: Era;
  readonly protocolVersion?: string;
  readonly serverInfo?: ServerInfo;
  readonly error?: string;
  readonly errorCode?: string;
  readonly config: MaskedTransport;
  /** What was asked for; `off` is the default. */
  readonly isolation: IsolationMode;
  /** What in fact holds its process, while it runs under isolation. */
  readonly confinement?: Confinement;
  /** The names of the server's own policies. */
  readonly policies?: readonly string[];
  /** What the server offers and Fairlead does not use. */
  readonly notSupported?: readonly string[];
  readonly tools: readonly ToolStatus[];
  /** The tools are those of an earlier run; the server was not asked yet. */
  readonly catalog?: 'cached';
  readonly pid?: number;
  readonly restarts: number;
  /** Milliseconds since the epoch at which the present phase began. */
  readonly since: number;
  readonly droppedMessages?: number;
  readonly stderr?: string;
  readonly warnings?: readonly string[];
}

export interface ToolStatus {
  /** The server's own name for the tool. */
  readonly name: string;
  readonly description?: string;
  readonly annotations?: ShortAnnotations;
  readonly quarantined?: string;
}

/** The hints in the agent SDKs' spelling; an absent hint stays absent. */
export interface ShortAnnotations {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

export interface StatusInput {
  readonly server: McpServer;
  readonly phase: ServerPhase;
  readonly since: number;
  /** Undefined while the view holds no connection for the server. */
  readonly connection: Connection | undefined;
  readonly quarantined: readonly QuarantinedSpec[];
  readonly warnings: readonly string[];
}

const WORDS: Readonly<Record<ServerPhase, StatusWord>> = {
  idle: 'pending',
  connecting: 'pending',
  reconnecting: 'pending',
  disconnected: 'pending',
  connected: 'connected',
  'needs-auth': 'needs-auth',
  failed: 'failed',
  disabled: 'disabled',
};

export function toStatusWord(phase: ServerPhase): StatusWord {
  return WORDS[phase];
}

export function toServerStatus(input: StatusInput): ServerStatus {
  const { server, phase, connection, warnings } = input;
  const failure = connection && failureOf(connection.state);
  return {
    name: server.name,
    status: toStatusWord(phase),
    phase,
    transport: server.transport.kind,
    scope: server.scope,
    ...(connection?.era && { era: connection.era }),
    ...(connection?.protocolVersion !== undefined && { protocolVersion: connection.protocolVersion }),
    ...(connection?.serverInfo && { serverInfo: connection.serverInfo }),
    ...(failure && { error: failure.message, errorCode: failure.code }),
    config: maskedTransport(server.transport),
    isolation: typeof server.isolation === 'object' ? server.isolation.mode : 'off',
    ...(connection?.confinement && { confinement: connection.confinement }),
    ...(server.policies.length > 0 && { policies: policyNames(server) }),
    ...(connection && connection.notSupported.length > 0 && { notSupported: connection.notSupported }),
    tools: phase === 'disabled' || phase === 'disconnected' ? [] : toolStatuses(input),
    ...(connection?.isCatalogRemembered && { catalog: 'cached' as const }),
    ...(connection?.pid !== undefined && { pid: connection.pid }),
    restarts: connection?.restarts ?? 0,
    since: input.since,
    ...(connection && connection.droppedMessages > 0 && { droppedMessages: connection.droppedMessages }),
    ...(connection && connection.stderr !== '' && { stderr: connection.stderr }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function failureOf(state: ConnectionState): { readonly code: string; readonly message: string } | undefined {
  return 'failure' in state ? state.failure : undefined;
}

function toolStatuses(input: StatusInput): readonly ToolStatus[] {
  const { server, connection } = input;
  const unlisted = connection?.catalog.quarantined ?? [];
  const isUnlisted = (held: QuarantinedSpec): boolean =>
    unlisted.some(({ tool, reason }) => tool === held.tool && reason === held.reason);
  const collisions = input.quarantined.filter((held) => !isUnlisted(held));
  const reasons = new Map(collisions.map(({ tool, reason }) => [tool, reason]));
  const listed = (connection?.catalog.tools ?? []).filter((tool) => isOffered(server, tool.tool));
  const statuses = listed.map(({ tool, description, annotations = {} }): ToolStatus => {
    const quarantined = reasons.get(tool);
    const hints = toShortAnnotations(annotations);
    return {
      name: tool,
      ...(description !== '' && { description }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
      ...(quarantined !== undefined && { quarantined }),
    };
  });
  return [...statuses, ...unlisted.map(({ tool, reason }) => ({ name: tool, quarantined: reason }))];
}

function toShortAnnotations(hints: {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}): ShortAnnotations {
  return {
    ...(hints.readOnlyHint !== undefined && { readOnly: hints.readOnlyHint }),
    ...(hints.destructiveHint !== undefined && { destructive: hints.destructiveHint }),
    ...(hints.idempotentHint !== undefined && { idempotent: hints.idempotentHint }),
    ...(hints.openWorldHint !== undefined && { openWorld: hints.openWorldHint }),
  };
}
