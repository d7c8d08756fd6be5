import type { Progress } from '../call/progress.ts';
import type { ServerRequestHandlers } from '../connection/server-requests.ts';
import type { ResourceLookup } from '../session/resource-key.ts';
import type { SessionScope } from '../session/session-scope.ts';
import type { TraceContext } from './trace-context.ts';

/** A tool by the name an agent sees, or by its server and the server's own name for it. */
export type ToolAddress = string | { readonly server: string; readonly tool: string };

/** How one call is to be made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Instead of the server's own timeout. */
  readonly timeoutMs?: number;
  /** When the whole work must be done, in milliseconds since 1970; a call never takes longer than is left. */
  readonly deadline?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Who answers what the server asks while this call runs. */
  readonly handlers?: ServerRequestHandlers;
  /** The trace that the call is part of; with a tracer the call's span is part of it, and is what the server sees. */
  readonly trace?: TraceContext;
  /** The call is part of another one, which tells of it: it publishes no events of its own. */
  readonly isPart?: boolean;
  /** The context of a call in the same session, maybe by another caller, that this one is kept or dropped with. */
  readonly within?: { readonly session: SessionScope; readonly resources: ResourceLookup };
  /** The agent SDK's own id for the call, if it has one. */
  readonly callId?: string;
}
