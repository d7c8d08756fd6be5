import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { ResourceLookup } from '../session/resource-key.ts';
import type { SessionScope } from '../session/session-scope.ts';
import type { CallOptions, ToolAddress } from './call-options.ts';
import type { CallReport } from './call-report.ts';

/** What a native tool may use while it runs. */
export interface ToolContext {
  readonly callId: string;
  /** The call's transaction: what is written here is dropped if the call fails. */
  readonly session: SessionScope;
  readonly resources: ResourceLookup;
  /** When the call is given up, in milliseconds since 1970. */
  readonly deadline: number;
  /** Aborts when the call is given up, or its caller loses interest. */
  readonly signal: AbortSignal;
  /** The prompt that the agent works on, if there is one. */
  readonly prompt: unknown;
  /** Tells the caller how far the call has come. */
  progress(progress: Progress): void;
  /** Calls another tool as part of this call: it commits and rolls back with it. */
  call(address: ToolAddress, args?: JsonObject, options?: CallOptions): Promise<CallReport>;
}
