import { tellingLines } from '../connection/telling-lines.ts';
import type { ServerPhase, ServerStatus } from '../hub/server-status.ts';
import { adviceFor } from './advice.ts';
import { isolationText } from './isolation-text.ts';

/** What the doctor found out about one server. */
export interface Diagnosis {
  readonly name: string;
  /** False when something should be done. */
  readonly ok: boolean;
  readonly phase: ServerPhase;
  readonly transport: string;
  readonly tools: number;
  /** How it is isolated, if it is meant to be. */
  readonly isolation?: string;
  readonly errorCode?: string;
  readonly error?: string;
  /** What to do next. */
  readonly advice: readonly string[];
  readonly quarantined: readonly { readonly tool: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly droppedMessages: number;
  readonly restarts: number;
  /** The last lines that the server wrote to stderr. */
  readonly stderr: readonly string[];
}

const STDERR_LINES = 5;

export function diagnose(status: ServerStatus): Diagnosis {
  const { name, phase, transport, error, errorCode, warnings = [], droppedMessages = 0, restarts } = status;
  const quarantined = status.tools.flatMap((tool) =>
    tool.quarantined === undefined ? [] : [{ tool: tool.name, reason: tool.quarantined }],
  );
  const isRunning = phase === 'connected' || phase === 'disabled';
  return {
    name,
    ok: isRunning && quarantined.length === 0 && warnings.length === 0,
    phase,
    transport,
    tools: status.tools.length - quarantined.length,
    ...(status.isolation !== 'off' && { isolation: isolationText(status) }),
    ...(errorCode !== undefined && { errorCode }),
    ...(error !== undefined && { error }),
    advice: isRunning ? [] : adviceFor(status),
    quarantined,
    warnings,
    droppedMessages,
    restarts,
    stderr: tellingLines(status.stderr ?? '', STDERR_LINES),
  };
}
