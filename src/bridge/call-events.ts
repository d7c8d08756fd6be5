import type { Mutable } from '../call/mutable.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef, ToolSource } from '../call/tool-ref.ts';
import type { ToolInvoked } from '../call/tool-invoked.ts';
import type { ToolStarted } from '../call/tool-started.ts';
import type { Clock } from '../clock.ts';
import type { Scrubber } from '../redaction.ts';
import { toJsonSafe } from '../session/plain-copy.ts';
import type { Session } from '../session/session.ts';
import type { SessionEvents } from '../session/dispatcher.ts';
import type { ApprovalRequest, Verdict } from './approval.ts';
import type { CallEnd } from './call-run.ts';

export interface CallEventsOptions {
  readonly session: Session;
  readonly scrubber: Scrubber;
  readonly clock: Clock;
  /** Who calls. */
  readonly adapter: string;
  /** What a tool is called; the name that an agent sees unless given. */
  readonly nameOf?: ((tool: ToolRef) => string) | undefined;
}

/** Tells a session of its calls, with every secret masked; what nobody listens to is not even made. */
export class CallEvents {
  readonly #options: CallEventsOptions;

  constructor(options: CallEventsOptions) {
    this.#options = options;
  }

  /** Tells, at the first time, that the call was sent; nothing if nobody wants to know. */
  onSent(call: ToolCall): (() => void) | undefined {
    if (!this.#options.session.hears('tool-started')) return undefined;
    let isTold = false;
    return () => {
      if (isTold) return;
      isTold = true;
      this.started(call);
    };
  }

  started({ callId, tool, arguments: params }: ToolCall): void {
    const { session, clock, adapter } = this.#options;
    if (!session.hears('tool-started')) return;
    const event: Mutable<ToolStarted> = {
      type: 'tool-started',
      at: clock.now(),
      callId,
      sessionId: session.id,
      name: this.#nameOf(tool),
      adapter,
      params,
      source: sourceOf(tool),
    };
    if (tool.server !== undefined) event.mcpServer = tool.server;
    // What was sent to a server was written as JSON.
    this.#dispatch(tool.source === 'mcp' ? event : toJsonSafe(event));
  }

  invoked({ callId, tool, arguments: params }: ToolCall, end: CallEnd, durationMs: number): void {
    const { session, clock, adapter } = this.#options;
    if (!session.hears('tool-invoked')) return;
    const { result, isCached } = end;
    const event: Mutable<ToolInvoked> = {
      type: 'tool-invoked',
      at: clock.now(),
      callId,
      sessionId: session.id,
      name: this.#nameOf(tool),
      adapter,
      params,
      result,
      outcome: result.outcome,
      source: sourceOf(tool),
      durationMs,
    };
    if (tool.server !== undefined) event.mcpServer = tool.server;
    if (isCached) event.isCached = true;
    this.#dispatch(tool.source === 'mcp' && result.success ? event : toJsonSafe(event));
  }

  asked(request: ApprovalRequest): void {
    const { session, clock } = this.#options;
    this.#dispatch({
      type: 'approval-asked',
      at: clock.now(),
      approvalId: request.id,
      callId: request.callId,
      sessionId: session.id,
      principal: request.principal,
      name: request.name,
      ...(request.server !== undefined && { mcpServer: request.server }),
      params: request.arguments,
      policy: request.policy,
      reason: request.reason,
      expiresAt: request.expiresAt,
    });
  }

  decided(request: ApprovalRequest, verdict: Verdict): void {
    const { session, clock } = this.#options;
    this.#dispatch({
      type: 'approval-decided',
      at: clock.now(),
      approvalId: request.id,
      callId: request.callId,
      sessionId: session.id,
      decision: verdict.kind,
      ...('by' in verdict && verdict.by !== undefined && { by: verdict.by }),
      ...('reason' in verdict && { reason: verdict.reason }),
    });
  }

  /** What cannot be named otherwise has its own name. */
  #nameOf(tool: ToolRef): string {
    try {
      return this.#options.nameOf?.(tool) ?? tool.name;
    } catch {
      return tool.name;
    }
  }

  #dispatch(event: SessionEvents[keyof SessionEvents]): void {
    this.#options.session.dispatch(this.#options.scrubber.scrubValue(event));
  }
}

/** A handle on a server's tool is a function of ours that calls it; what ran is the server's. */
function sourceOf({ source, server }: ToolRef): ToolSource {
  return server === undefined ? source : 'mcp';
}
