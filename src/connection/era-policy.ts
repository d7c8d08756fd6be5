import type { TransportEnding } from '../transport/live-transport.ts';
import type { EraVerdict } from './era-memory.ts';
import type { RequestFailure } from './request-failure.ts';

/** What an attempt that failed teaches about the next one. */
export interface FailedAttempt {
  readonly verdict: EraVerdict | undefined;
  readonly failure: RequestFailure;
  readonly ending: TransportEnding | undefined;
  /** Whether the server was declared as a Streamable HTTP endpoint. */
  readonly isHttp: boolean;
}

/** The verdict to try next, `forget` when the one in use was wrong, or undefined when nothing was learned. */
export function learnFromFailure(attempt: FailedAttempt): EraVerdict | 'forget' | undefined {
  const { verdict, failure, ending, isHttp } = attempt;
  if (verdict === undefined) {
    if (failure.kind === 'probe-failed' && (ending?.kind === 'exited' || ending?.kind === 'stdout-closed'))
      return 'legacy';
    // The protocol allows the older transport to be tried on these, never on a refusal or a server's own error.
    if (isHttp && 'status' in failure && [400, 404, 405].includes(failure.status ?? 0)) return 'legacy-sse';
    return undefined;
  }
  if (verdict === 'legacy-sse') return 'forget';
  if (verdict === 'legacy' && (failure.kind === 'rpc-error' || failure.kind === 'unsupported-version')) return 'forget';
  return undefined;
}
