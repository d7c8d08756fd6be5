import { randomUUID } from 'node:crypto';
import { CallEvents } from '../bridge/call-events.ts';
import type { CallReport } from '../bridge/call-report.ts';
import { fromError } from '../bridge/to-tool-result.ts';
import type { JsonObject, ToolRef } from '../call/tool-ref.ts';
import type { Clock } from '../clock.ts';
import type { Hub } from '../hub/hub.ts';
import type { Session } from '../session/session.ts';

/** A call that was asked for on the command line. */
export interface WantedCall {
  /** A server and its tool, or one name as agents see it. */
  readonly address: readonly string[];
  readonly arguments: JsonObject;
  readonly startedAt: number;
}

/** Reports a call whose server could not be connected, and tells it like any other; to send it would only try once more. */
export function unreachedCall(
  error: unknown,
  call: WantedCall,
  { hub, session, clock }: { readonly hub: Hub; readonly session: Session; readonly clock: Clock },
): CallReport {
  const result = fromError(error, true);
  const callId = randomUUID();
  const durationMs = clock.monotonic() - call.startedAt;
  new CallEvents({ session, clock, scrubber: hub.scrubber, adapter: 'cli' }).invoked(
    { callId, tool: toolRef(hub, call.address), arguments: call.arguments },
    { result, isCached: false },
    durationMs,
  );
  return { ...result, callId, durationMs };
}

function toolRef(hub: Hub, [first = '', tool]: readonly string[]): ToolRef {
  const common = { source: 'mcp', trust: 'untrusted' } as const;
  if (tool === undefined) return { ...common, name: first, tool: first };
  return { ...common, name: hub.toolName(first, tool), server: first, tool };
}
