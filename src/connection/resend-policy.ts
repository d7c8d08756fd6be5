import type { ToolAnnotations, Trust } from '../call/tool-ref.ts';
import type { RequestFailure } from './request-failure.ts';

/** Whether running a request twice does no harm, as far as we may believe it. */
export type Repeatable = 'repeatable' | 'once';

/** A tool may run twice only if it says so and its server is trusted to say so. */
export function repeatableByAnnotation(annotations: ToolAnnotations | undefined, trust: Trust): Repeatable {
  if (trust !== 'trusted') return 'once';
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true ? 'repeatable' : 'once';
}

/** Whether a failed request may be sent again: it provably did not run, or running twice does no harm. */
export function mayResend(failure: RequestFailure, repeatable: Repeatable): boolean {
  switch (failure.kind) {
    case 'not-written':
      return failure.reason !== 'overloaded';
    case 'session-expired':
      return true;
    case 'no-answer':
      return repeatable === 'repeatable';
    default:
      return false;
  }
}

const MAX_WAIT_MS = 30_000;

/** How long to wait before a request that the server had no time for is sent again; undefined if not at all. */
export function waitBeforeResend(failure: RequestFailure, timeoutMs: number): number | undefined {
  if (failure.kind !== 'rate-limited' || failure.retryAfterMs === undefined) return undefined;
  // Whoever gives a call less time than that would rather know.
  return failure.retryAfterMs <= Math.min(MAX_WAIT_MS, timeoutMs) ? failure.retryAfterMs : undefined;
}
