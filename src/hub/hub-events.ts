import type { ServerPhase, StatusWord } from './server-status.ts';
import type { ToolsChange } from './registry.ts';

/** What happens to servers and their tools; every event has its type, its time and the server. */
export interface HubEvents {
  'server-connected': ServerConnected;
  'server-disconnected': ServerDisconnected;
  'server-failed': ServerFailed;
  'server-changed': ServerChanged;
  'tools-changed': ToolsChanged;
  'resource-changed': ResourceChanged;
  'tool-quarantined': ToolQuarantined;
  'sandbox-denied': SandboxDenied;
}

export interface ServerConnected {
  readonly type: 'server-connected';
  readonly at: number;
  readonly server: string;
  readonly tools: number;
}

export interface ServerDisconnected {
  readonly type: 'server-disconnected';
  readonly at: number;
  readonly server: string;
  /** Why, when nobody asked for it. */
  readonly error?: string;
}

export interface ServerFailed {
  readonly type: 'server-failed';
  readonly at: number;
  readonly server: string;
  readonly code: string;
  readonly error: string;
}

/** Any change of a server: declared, removed, switched on or off, or another phase. */
export interface ServerChanged {
  readonly type: 'server-changed';
  readonly at: number;
  readonly server: string;
  readonly change: 'added' | 'removed' | 'phase';
  readonly phase: ServerPhase;
  readonly status: StatusWord;
}

export interface ToolsChanged extends ToolsChange {
  readonly type: 'tools-changed';
  readonly at: number;
}

/** A resource that is followed has other contents now. */
export interface ResourceChanged {
  readonly type: 'resource-changed';
  readonly at: number;
  readonly server: string;
  readonly uri: string;
}

export interface ToolQuarantined {
  readonly type: 'tool-quarantined';
  readonly at: number;
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

/** A server tried to reach a host that its network policy does not allow. */
export interface SandboxDenied {
  readonly type: 'sandbox-denied';
  readonly at: number;
  readonly server: string;
  /** Host and port. */
  readonly target: string;
  readonly reason: string;
}
